"use strict";
// A chosen thing lights the things that belong to it. Lists and trees are one stop of the Tab key each, and are walked
// with the arrow keys.
const footer = document.querySelector("footer");
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const names = (words) => words.split(" ").filter(Boolean).flatMap((each) => {
  const [, kind, first, last] = each.match(/^(\D)(\d+)-?(\d*)$/);
  return Array.from({ length: (last || first) - first + 1 }, (_, place) => kind + (Number(first) + place));
});
const level = (item) => Number(item.ariaLevel);

// The items below an item of a tree, until the next of its own level.
function* below(item) {
  for (let next = item.nextElementSibling; next && level(next) > level(item); next = next.nextElementSibling) yield next;
}

function parent(item) {
  let above = item.previousElementSibling;
  while (above && level(above) >= level(item)) above = above.previousElementSibling;
  return above;
}

function unfold(item, open) {
  item.ariaExpanded = String(open);
  let closed = open ? Infinity : level(item);
  for (const each of below(item)) {
    if (level(each) <= closed) closed = Infinity;
    each.hidden = level(each) > closed || !open;
    if (each.ariaExpanded === "false" && closed === Infinity) closed = level(each);
  }
}

function reveal(item) {
  const above = [];
  for (let each = item; (each = parent(each)); ) above.unshift(each);
  for (const each of above) if (each.ariaExpanded === "false") unfold(each, true);
}

function clear() {
  for (const each of all("[aria-current]")) each.removeAttribute("aria-current");
  footer.hidden = true;
  footer.replaceChildren();
}

function button(words, target) {
  const made = document.createElement("button");
  made.textContent = words;
  made.addEventListener("click", () => {
    target.focus();
    target.scrollIntoView({ block: "center" });
  });
  return made;
}

function choose(section, name) {
  clear();
  const [sentence, lit] = section.links[name];
  footer.append(sentence);
  footer.hidden = false;
  const shown = new Map();
  for (const each of new Set([name, ...names(lit)])) {
    for (const thing of section.things.get(each) ?? []) {
      thing.setAttribute("aria-current", "true");
      if (thing.role === "treeitem") reveal(thing);
      // A line of code is shown rather than what stands elsewhere and leads to it.
      if (thing.hasAttribute("tabindex") && (thing.role === "option" || !shown.has(each))) shown.set(each, thing);
    }
  }
  for (const kind of "fkrl") {
    const found = [...shown.keys()].filter((each) => each[0] === kind);
    if (found.length) footer.append(button(`${footer.dataset[kind]}: ${found.length}`, shown.get(found[0])));
  }
}

function go(list, item) {
  if (!item) return;
  for (const each of all('[tabindex="0"]', list)) each.tabIndex = -1;
  item.tabIndex = 0;
  item.focus();
}

function walk(list, item, key) {
  const items = all("[tabindex]", list).filter((each) => !each.hidden);
  const place = items.indexOf(item);
  const open = item.ariaExpanded;
  if (key === "ArrowDown") go(list, items[place + 1]);
  else if (key === "ArrowUp") go(list, items[place - 1]);
  else if (key === "Home") go(list, items[0]);
  else if (key === "End") go(list, items.at(-1));
  else if (key === "ArrowRight" && open === "false") unfold(item, true);
  else if (key === "ArrowRight" && open) go(list, items[place + 1]);
  else if (key === "ArrowLeft" && open === "true") unfold(item, false);
  else if (key === "ArrowLeft" && item.ariaLevel) go(list, parent(item));
  else return false;
  return true;
}

for (const section of all("section")) {
  section.links = JSON.parse(section.querySelector("script").textContent);
  section.things = new Map();
  for (const thing of all("[data-thing]", section)) {
    const known = section.things.get(thing.dataset.thing) ?? [];
    section.things.set(thing.dataset.thing, [...known, thing]);
  }
  section.addEventListener("click", (event) => {
    const item = event.target.closest("[data-thing]");
    if (event.target.className === "fold") unfold(item, item.ariaExpanded !== "true");
    else if (item && getSelection().isCollapsed) choose(section, item.dataset.thing);
    const list = item?.closest("[role=tree], [role=listbox]");
    if (list) go(list, item);
  });
  section.addEventListener("keydown", (event) => {
    const item = event.target.closest("[data-thing], [role=treeitem]");
    const list = item?.closest("[role=tree], [role=listbox]");
    const acts = item && (event.key === "Enter" || event.key === " ");
    if (acts && item.dataset.thing) choose(section, item.dataset.thing);
    if (acts || (list && walk(list, item, event.key))) event.preventDefault();
  });
}
for (const list of all("[role=tree], [role=listbox]")) list.querySelector("[tabindex]")?.setAttribute("tabindex", "0");
document.addEventListener("keydown", (event) => event.key === "Escape" && clear());
