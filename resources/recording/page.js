"use strict";
// A finding, or a line of code, lights all that belongs to it.
const lines = (part) => (part.dataset.lines || "").split(" ").filter(Boolean);
const parts = [...document.querySelectorAll("[data-lines]")];
const light = (chosen) => {
  const wanted = new Set(chosen ? lines(chosen) : []);
  for (const part of parts) {
    part.classList.toggle("lit", lines(part).some((line) => wanted.has(line)));
  }
};
for (const part of parts) {
  part.addEventListener("click", () => light(part));
  part.addEventListener("focus", () => light(part));
}
document.addEventListener("keydown", (event) => event.key === "Escape" && light(null));
