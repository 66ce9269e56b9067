"""The worker's sentences in Korean, by the English templates in the code."""

from __future__ import annotations

SENTENCES = {
    # -- findings ---------------------------------------------------------------------------------------------
    "one key": "key 하나",
    "{count} keys": "key {count}개",
    "{called} on line {line}": "{line}번 줄의 {called}",
    "{called} on line {line} of {file}": "{file} {line}번 줄의 {called}",
    "{some} and {last}": "{some}, {last}",
    "1 other place": "그 밖의 1곳",
    "{count} other places": "그 밖의 {count}곳",
    "{count} devices share {keys}: {place} draws the same numbers on each of them. {advice}": (
        "장치 {count}개가 {keys}를 공유합니다. {place}에서 장치마다 같은 난수를 뽑습니다. {advice}"
    ),
    "Split the key, one for each device.": "key를 나누어 장치마다 하나씩 주세요.",
    "That is said to be on purpose.": "일부러 그렇게 한다고 밝혔습니다.",
    "{sizes} examples share {keys}": "샘플 {sizes}개가 {keys}를 공유합니다",
    "{whose} along axis {axis} of the batch": "배치의 축 {axis}에서 {whose}",
    "{whose}: {place} draws once and serves them all. {advice}": (
        "{whose}. {place}에서 한 번만 뽑아 모두가 씁니다. {advice}"
    ),
    "vmap does not map the key there; split it, one key for each example.": (
        "vmap이 거기서 key를 매핑하지 않습니다. key를 나누어 샘플마다 하나씩 주세요."
    ),
    "{whose}: {place} draws equal numbers where the keys are equal. {advice}": (
        "{whose}. key가 같은 곳에서는 {place}에서 같은 난수가 나옵니다. {advice}"
    ),
    "{whose}: {place} draws the same numbers for all of them. {advice}": (
        "{whose}. {place}에서 모두 같은 난수가 나옵니다. {advice}"
    ),
    "Split one key for each example.": "key를 나누어 샘플마다 하나씩 주세요.",
    "Split the key, one for each example.": "key를 나누어 샘플마다 하나씩 주세요.",
    "This variant is said to share its noise on purpose, but in this run nothing is shared.": (
        "이 변형은 노이즈를 일부러 공유한다고 되어 있지만, 이번 실행에서는 공유하는 것이 없습니다."
    ),
    "One key is": "key 하나가",
    "{count} keys are": "key {count}개가",
    "{count} keys are each": "key {count}개가 각각",
    "{subject} used {times} times by {place}, with the same numbers each time. {remedy}": (
        "{subject} {place}에서 {times}번 쓰입니다. 매번 같은 난수가 나옵니다. {remedy}"
    ),
    "{by}, called twice there": "{by}(두 번 불림)",
    "{by}, called {times} times there": "{by}({times}번 불림)",
    "{by}, {times} times in all": "{by}(모두 {times}번)",
    "drawn from": "뽑는 데",
    "split": "나누는 데",
    "used": "뽑고 나누는 데",
    "Their numbers are related.": "나온 난수들은 서로 독립이 아닙니다.",
    "The children are the same keys.": "나뉜 key들이 똑같습니다.",
    "The numbers drawn follow from the same key as the children.": "뽑은 난수와 나뉜 key가 같은 key에서 나옵니다.",
    "{subject} {what} more than once, by {by}. {why} {remedy}": "{subject} {by}에서 {what} 두 번 이상 쓰입니다. {why} {remedy}",
    "A library does this with a key of its own.": "라이브러리가 자기 key로 하는 일입니다.",
    "Split it, one key for each use.": "key를 나누어 쓸 때마다 하나씩 쓰세요.",
    "Split each of them, one key for each use.": "key마다 나누어 쓸 때마다 하나씩 쓰세요.",
    "They are made more than once, from the same seeds. Make each once and split it for each use.": (
        "같은 seed들로 두 번 이상 만들어졌습니다. 하나씩 한 번만 만들고 나누어 쓸 때마다 하나씩 쓰세요."
    ),
    "fold_in makes them more than once, from the same data. Fold in other data each time, or split.": (
        "fold_in이 같은 데이터로 두 번 이상 만듭니다. 매번 다른 데이터를 넣거나 key를 나누세요."
    ),
    "It is made more than once, from the seed {label}. Make it once and split it, one key for each use.": (
        "seed {label}로 두 번 이상 만들어졌습니다. 한 번만 만들고 나누어 쓸 때마다 하나씩 쓰세요."
    ),
    "fold_in makes it more than once, from the same data {label}. Fold in other data each time, or split it.": (
        "fold_in이 같은 데이터 {label}로 두 번 이상 만듭니다. 매번 다른 데이터를 넣거나 key를 나누세요."
    ),
    "Both fold_in and split make it: child {label} of a split is what fold_in makes with {label}. Use one of them only, "
    "or start from another seed.": (
        "fold_in과 split이 모두 만듭니다. split의 {label}번은 fold_in({label})과 같은 key입니다. 둘 중 하나만 쓰거나 다른 "
        "seed에서 시작하세요."
    ),
    "It is made more than once, of the same key. Make it once and split it, one key for each use.": (
        "같은 key에서 두 번 이상 만들어졌습니다. 한 번만 만들고 나누어 쓸 때마다 하나씩 쓰세요."
    ),
    "{subject} drawn from by {drawn} and given to {folded} to make more keys. JAX allows it, but numbers and keys then "
    "come from the same place; split first to be safe.": (
        "{subject} {drawn}에서 난수를 뽑는 데 쓰이고, {folded}에서 새 key를 만드는 데도 쓰입니다. JAX는 허용하지만 난수와 "
        "key가 같은 곳에서 나옵니다. 먼저 나누면 안전합니다."
    ),
    "One key made by {place} is never used.": "{place}에서 만든 key 하나가 쓰이지 않습니다.",
    "{count} keys made by {place} are never used.": "{place}에서 만든 key {count}개가 쓰이지 않습니다.",
    "{place} draws for a batch with keys of kind {kind}. JAX then draws for all examples at once, so the numbers of an "
    "example are not those that its own key gives alone.": (
        "{place}에서 {kind} key로 배치를 뽑습니다. 이때 JAX는 모든 샘플을 한꺼번에 뽑으므로, 샘플의 난수는 그 key만으로 뽑은 "
        "것과 다릅니다."
    ),
    "{count} draws were counted, but are too many to show.": "난수 뽑기 {count}번은 셌지만 너무 많아 보여 주지 않습니다.",
    "Keys used inside {name} could not be seen.": "{name} 안에서 쓴 key는 볼 수 없었습니다.",
    "A key was deleted before it could be looked at: what was done with it is not shown.": (
        "들여다보기 전에 지워진 key가 있습니다. 그 key로 한 일은 보여 주지 못합니다."
    ),
    # -- JAX's own checker ------------------------------------------------------------------------------------
    "JAX's checker": "JAX의 검사기",
    "JAX's static check": "JAX의 정적 검사",
    "JAX's check of the run": "JAX의 실행 검사",
    "{who} agrees.": "{who}도 같은 판단입니다.",
    "{who} agrees on the reuse, and does not see the sharing: it does not look along the axes of a batch.": (
        "{who}도 재사용은 잡지만 공유는 보지 못합니다. 배치의 축을 따라 보지 않기 때문입니다."
    ),
    "{who} raises an alarm, but in this run no key is used twice: it takes looking at a key for using it, and counts "
    "branches that are not taken.": (
        "{who}: 경고가 있지만 이번 실행에서 두 번 쓰인 key는 없습니다. key를 들여다보기만 해도 쓴 것으로 치고, 타지 않은 "
        "분기도 셉니다."
    ),
    "{who} raises an alarm, but in this run no key is used twice: it takes looking at a key for using it, and counts "
    "branches that are not taken; and it does not see the sharing.": (
        "{who}: 경고가 있지만 이번 실행에서 두 번 쓰인 key는 없습니다. key를 들여다보기만 해도 쓴 것으로 치고, 타지 않은 "
        "분기도 셉니다. 공유는 보지 못합니다."
    ),
    "JAX's checker agrees: it finds nothing either.": "JAX의 검사기도 아무것도 찾지 않습니다.",
    "JAX's checker finds nothing: it does not look along the axes of a batch, where one key serves many.": (
        "JAX의 검사기는 아무것도 찾지 못합니다. 배치의 축을 따라 보지 않는데, 바로 거기서 key 하나를 여럿이 씁니다."
    ),
    "JAX's checker finds nothing: {why}.": "JAX의 검사기는 아무것도 찾지 못합니다. {why}.",
    "it does not follow raw keys, which are plain arrays of integers": "보통 정수 배열인 raw key는 따라가지 않습니다",
    "it goes by variable, and here one key value is made more than once": (
        "변수를 기준으로 보는데, 여기서는 같은 key 값이 두 번 이상 만들어집니다"
    ),
    "it goes by variable, and here one key value is in several of them": (
        "변수를 기준으로 보는데, 여기서는 같은 key 값이 여러 변수에 들어 있습니다"
    ),
    # -- the recording ----------------------------------------------------------------------------------------
    "Sharing may be missed: it cannot be told which vmap does not map a key.": (
        "공유를 놓칠 수 있습니다. 어느 vmap이 key를 매핑하지 않는지 알 수 없습니다."
    ),
    "Under vmap, keys seem to be used in all branches of a cond.": "vmap 안에서는 cond의 모든 분기가 key를 쓴 것처럼 보입니다.",
    "In derivatives of loops, a key used in every round may seem to be used once.": (
        "루프를 미분할 때는 매번 쓰인 key가 한 번 쓰인 것처럼 보일 수 있습니다."
    ),
    "What programs compiled ahead of time draw cannot be seen.": "미리 컴파일한 프로그램이 뽑는 난수는 볼 수 없습니다.",
    "What callbacks on the host draw cannot be seen.": "호스트 콜백이 뽑는 난수는 볼 수 없습니다.",
    "A program ran that was compiled ahead of time, before the recording or elsewhere: what it drew could not be seen.": (
        "기록하기 전이나 다른 곳에서 미리 컴파일한 프로그램이 실행되었습니다. 거기서 뽑은 난수는 볼 수 없었습니다."
    ),
    "The program set jax_debug_key_reuse itself: what it drew after that could not be seen.": (
        "프로그램이 jax_debug_key_reuse를 직접 바꾸었습니다. 그 뒤에 뽑은 난수는 볼 수 없었습니다."
    ),
    "A program ran that was exported: what it drew could not be seen.": (
        "export한 프로그램이 실행되었습니다. 거기서 뽑은 난수는 볼 수 없었습니다."
    ),
    # -- arrays -----------------------------------------------------------------------------------------------
    "one value: {value}": "값 하나: {value}",
    "0 examples: the batch is empty": "샘플 0개: 배치가 비었습니다",
    "1 example": "샘플 1개",
    "{count} examples": "샘플 {count}개",
    "{examples} along axis {axis}": "축 {axis}의 {examples}",
    "1 value": "값 1개",
    "{count} values": "값 {count}개",
    "{examples} without any values": "{examples}, 값 없음",
    "{examples}, all values are equal: {value}": "{examples}, 모든 값이 같음: {value}",
    "{examples}: {value}": "{examples}: {value}",
    ", all different": ", 모두 다름",
    ", the first {count} all different": ", 앞의 {count}개는 모두 다름",
    "{count} distinct": "서로 다른 것 {count}개",
    "1 distinct row": "서로 다른 행 1개",
    "{count} distinct rows": "서로 다른 행 {count}개",
    "{distinct} among the first {count}": "앞의 {count}개 중 {distinct}",
    "{distinct} to within rounding": "반올림 오차 안에서 {distinct}",
    ": too short to rule out chance": ": 행이 짧아 우연일 수 있음",
    ", but one key made all of their noise": ", 그러나 노이즈는 모두 key 하나에서 나옴",
    ", but {count} keys made all of their noise": ", 그러나 노이즈는 모두 key {count}개에서 나옴",
    ": they all share one key": ": 모두 key 하나를 공유",
    ": they share {count} keys": ": key {count}개를 공유",
    ", on purpose": ", 일부러",
    "{count} values ({size}): too large to compare the examples": "값 {count}개({size}): 너무 커서 샘플을 비교하지 않음",
    "{axis} 0 to {last} of {all}": "{axis} {all}개 중 0부터 {last}까지",
    "rows": "행",
    "columns": "열",
    "examples": "샘플",
    "axis {number} from": "축 {number}의",
    "Showing {parts}.": "보이는 것: {parts}.",
    "{count} further arrays are left out.": "배열 {count}개는 뺐습니다.",
    "These are keys, shown as their key data.": "key이므로 key 데이터를 보여 줍니다.",
    "Range and counts are those of the values shown.": "범위와 개수는 보이는 값의 것입니다.",
    "Complex values, shown as their magnitude.": "복소수이므로 절댓값을 보여 줍니다.",
    "Examples count as equal where they agree to within the rounding of the subtraction.": (
        "뺄셈의 반올림 오차 안에서 맞으면 같은 샘플로 봅니다."
    ),
    "Only the first {count} examples are compared.": "앞의 샘플 {count}개만 비교합니다.",
    # -- values of equations ----------------------------------------------------------------------------------
    "{title} without any values": "{title}, 값 없음",
    "{title}, {true} of {all} true": "{title}, {all}개 중 {true}개 참",
    "{title} from {low} to {high}": "{title}, {low}에서 {high}",
    "no NaN": "NaN 없음",
    "{count} NaN or infinite": "NaN이나 무한대 {count}개",
    "{count} NaN": "NaN {count}개",
    ", {count} infinite": ", 무한대 {count}개",
    " and {count} more": " 외 {count}개",
    "The equation is not part of the program any more.": "이 식은 프로그램에 더는 없습니다.",
    "Values inside {name} cannot be shown: it works on pieces of what it reads. Select {name} itself to see its own values.": (
        "{name} 안쪽의 값은 보여 줄 수 없습니다. 읽은 배열을 조각으로 나누어 다루기 때문입니다. {name} 식 자체를 고르면 "
        "그 값을 볼 수 있습니다."
    ),
    "This stands inside a vmap, and no axis of it is known to hold the examples: all of them share it, or it is a step that vmap added.": (
        "vmap 안에 있지만 샘플이 놓인 축은 알려져 있지 않습니다. 모든 샘플이 함께 쓰는 값이거나 vmap이 더한 단계입니다."
    ),
    "This scan has no round for the current inputs: its length is 0.": "지금 입력으로는 이 scan이 돌지 않습니다. 길이가 0입니다.",
    "The body of this while loop does not run for the current inputs: its condition is false.": (
        "지금 입력으로는 이 while 루프의 본문이 실행되지 않습니다. 조건이 거짓입니다."
    ),
    "{value} has {count} elements. That is too many to compute for a look at them: the limit is {limit}.": (
        "{value}: 원소가 {count}개입니다. 보려고 계산하기에는 너무 많습니다. 한도는 {limit}개입니다."
    ),
    "On the way to it {primitive} makes a value that is too large to compute: {value} has {count} elements. The limit "
    "is {limit}.": (
        "거기까지 가는 길에 {primitive}에서 너무 큰 값이 나옵니다. {value}: 원소가 {count}개입니다. 한도는 {limit}개입니다."
    ),
    "This branch was not taken: the condition was {taken} for the current inputs, and this is what runs when it is "
    "{place}.": "타지 않은 분기입니다. 지금 입력에서 조건은 {taken}이고, 이것은 {place}일 때 실행됩니다.",
    "This branch was not taken: it is number {place}, and number {taken} ran for the current inputs.": (
        "타지 않은 분기입니다. 이것은 {place}번이고, 지금 입력에서는 {taken}번이 실행되었습니다."
    ),
    "true": "참",
    "false": "거짓",
    "Values are told for the code in the editor, not for the code as it was.": (
        "값은 편집기의 코드에 대해서만 보여 주고, 고치기 전 코드에 대해서는 보여 주지 않습니다."
    ),
    "The program has run in another process, or again, since. Run it once more to see values.": (
        "그 뒤에 프로그램이 다른 프로세스에서, 또는 다시 실행되었습니다. 값을 보려면 한 번 더 실행하세요."
    ),
    "It could not be computed: {what}": "계산하지 못했습니다: {what}",
    "{primitive} binds and reads no array.": "{primitive}에는 배열이 드나들지 않습니다.",
    "It was stopped before it could answer.": "답이 나오기 전에 멈추었습니다.",
    "It was still running after {seconds} s and was stopped.": "{seconds}초가 지나도 끝나지 않아 멈추었습니다.",
    # -- errors -----------------------------------------------------------------------------------------------
    " and ": ", ",
    "the function": "함수",
    "the argument {names}": "인자 {names}",
    "the arguments {names}": "인자 {names}",
    " for all examples of vmap": "(vmap의 샘플 전체)",
    " for all steps of scan": "(scan의 단계 전체)",
    " for {transform}": "({transform})",
    "This value depends on {behind}.": "이 값은 {behind}에 달려 있습니다.",
    "This value is such a stand-in.": "이 값이 그런 대역입니다.",
    "JAX records {function} by running it once{for_whom} with stand-ins that have a shape and a dtype but no values. "
    "{cause} ": "JAX는 값 없이 모양과 dtype만 있는 대역을 넣고 {function}{for_whom}의 실행을 한 번 기록합니다. {cause} ",
    "make it a static argument of jit (static_argnames), if it is known before the call": (
        "호출 전에 아는 값이면 jit의 static 인자(static_argnames)로 만드세요"
    ),
    "work with a value that is known before the call of {transform}": "{transform} 호출 전에 아는 값으로 하세요",
    "{stand_in}So `if`, `while`, `and` and `not` cannot decide. Choose inside the program with jnp.where(test, a, b) or "
    "jax.lax.cond, loop with jax.lax.while_loop; or {otherwise}.": (
        "{stand_in}그래서 `if`, `while`, `and`, `not`이 참거짓을 정할 수 없습니다. 프로그램 안에서 jnp.where(test, a, b)나 "
        "jax.lax.cond로 고르고 jax.lax.while_loop로 반복하거나, {otherwise}."
    ),
    "{stand_in}So it cannot serve as a Python index, a shape or the length of a range. Use JAX instead of Python: "
    "jax.lax.fori_loop for the loop, x[i] on a jnp array for the index; or {otherwise}.": (
        "{stand_in}그래서 Python 인덱스나 모양, range의 길이로 쓸 수 없습니다. 반복은 jax.lax.fori_loop, 인덱스는 jnp 배열의 "
        "x[i]처럼 JAX로 쓰거나, {otherwise}."
    ),
    "{stand_in}NumPy needs the values and cannot take a stand-in. Use the function of the same name in jax.numpy; or "
    "call NumPy outside of the traced function.": (
        "{stand_in}NumPy는 값이 필요해 대역을 받을 수 없습니다. jax.numpy의 같은 이름 함수를 쓰거나, trace되는 함수 밖에서 "
        "NumPy를 부르세요."
    ),
    "How many values a boolean mask picks depends on the values, and a traced program must know every shape beforehand. "
    "Keep the shape and blank out the rest with jnp.where(mask, x, 0); or pick by mask outside of jit.": (
        "불리언 마스크가 고르는 개수는 값에 달려 있는데, trace한 프로그램은 모든 모양을 미리 알아야 합니다. "
        "jnp.where(mask, x, 0)으로 모양은 두고 나머지를 지우거나, jit 밖에서 마스크로 고르세요."
    ),
    "How many values {call} returns depends on the values, and a traced program must know every shape beforehand. Give "
    "the most there can be with size=...; or call it outside of jit.": (
        "{call}의 결과 개수는 값에 달려 있는데, trace한 프로그램은 모든 모양을 미리 알아야 합니다. size=...로 최대 개수를 "
        "주거나, jit 밖에서 부르세요."
    ),
    "{stand_in}So float(x), int(x) and x.item() have nothing to return. Keep it an array (x.astype(...) changes its "
    "dtype); or convert the result after the traced function has returned.": (
        "{stand_in}그래서 float(x), int(x), x.item()이 돌려줄 값이 없습니다. 배열로 두거나(dtype은 x.astype(...)으로 바꿉니다), "
        "trace되는 함수가 끝난 뒤에 결과를 변환하세요."
    ),
    "{stand_in}This place needs a plain Python value: a shape, an axis or a size. Take it from x.shape or a constant; or "
    "{otherwise}.": (
        "{stand_in}여기에는 모양, 축, 크기 같은 보통의 Python 값이 필요합니다. x.shape나 상수에서 가져오거나, {otherwise}."
    ),
    "{stand_in}A shape must be known while tracing. Take the size from x.shape or a constant; or {otherwise}.": (
        "{stand_in}모양은 trace할 때 알아야 합니다. 크기를 x.shape나 상수에서 가져오거나, {otherwise}."
    ),
    "The ends of a slice decide its shape, and a traced program must know every shape beforehand. "
    "jax.lax.dynamic_slice_in_dim(x, start, size) moves a slice of fixed size; or make the ends static arguments.": (
        "슬라이스의 양 끝이 모양을 정하는데, trace한 프로그램은 모든 모양을 미리 알아야 합니다. 크기가 정해진 슬라이스는 "
        "jax.lax.dynamic_slice_in_dim(x, start, size)으로 옮기거나, 양 끝을 static 인자로 만드세요."
    ),
    "A value from inside a traced function was kept (in a global, a list or an attribute) and used after the tracing was "
    "over. It is only a stand-in without values. Return the value from the function instead of storing it; or use "
    "jax.debug.print to look at it.": (
        "trace되는 함수 안의 값을 (전역 변수, 리스트, 속성에) 남겨 두었다가 trace가 끝난 뒤에 썼습니다. 그것은 값이 없는 "
        "대역입니다. 남기지 말고 함수에서 return하거나, jax.debug.print로 살펴보세요."
    ),
    "{call} takes one key, and this is an array of keys of shape {shape}. To call it for each of them, map it: "
    "jax.vmap(lambda key: jax.random.{call}(key, ...))(keys). To call it once, pick one: keys[0].": (
        "{call}에는 key 하나가 필요한데, 모양이 {shape}인 key 배열을 받았습니다. key마다 부르려면 "
        "jax.vmap(lambda key: jax.random.{call}(key, ...))(keys)로 매핑하고, 한 번만 부르려면 keys[0]처럼 하나를 고르세요."
    ),
    "This argument must be a random key, and it is None: a key was not handed over, or a function that should return one "
    "returns nothing. Hand one over; or make one with jax.random.key(0).": (
        "이 인자는 난수 key여야 하는데 None입니다. key를 넘기지 않았거나, key를 돌려줘야 할 함수가 아무것도 돌려주지 않았습니다. "
        "key를 넘기거나, jax.random.key(0)으로 만드세요."
    ),
    "This argument must be a random key, or the words of one in an array whose last axis has length {words}, and this "
    "has shape {shape}. Make a key with jax.random.key(0); and look at the order of the arguments: the key comes first.": (
        "이 인자는 난수 key이거나, 마지막 축의 길이가 {words}인 key 데이터 배열이어야 하는데 모양이 {shape}입니다. "
        "jax.random.key(0)으로 key를 만들고, 인자 순서를 보세요. key가 먼저입니다."
    ),
    "This argument must be a random key, and it is a number or an array of something else. Make a key with "
    "jax.random.key(0); and look at the order of the arguments: the key comes first.": (
        "이 인자는 난수 key여야 하는데 수이거나 다른 배열입니다. jax.random.key(0)으로 key를 만들고, 인자 순서를 보세요. key가 "
        "먼저입니다."
    ),
    "A random key is not a number: JAX refuses to calculate with it. To get another key use jax.random.split or "
    "jax.random.fold_in; to get numbers draw them, for example with jax.random.normal(key).": (
        "난수 key는 수가 아니라서 계산할 수 없습니다. 다른 key가 필요하면 jax.random.split이나 jax.random.fold_in을, 수가 "
        "필요하면 jax.random.normal(key)처럼 뽑으세요."
    ),
    "A random key is not a number, so NumPy cannot hold it. jax.random.key_data(key) gives its words as integers; to "
    "print a key, print it as it is.": (
        "난수 key는 수가 아니라서 NumPy 배열이 될 수 없습니다. 정수로 보려면 jax.random.key_data(key)를 쓰고, 출력하려면 그대로 "
        "print하세요."
    ),
    "The same key was used twice, so the two results are not independent. Split it and use each part once: key_a, key_b "
    "= jax.random.split(key).": (
        "같은 key를 두 번 써서 두 결과가 독립이 아닙니다. key_a, key_b = jax.random.split(key)처럼 나누어 각각 한 번씩 쓰세요."
    ),
    "What a file does at its top level is no function, so nothing can be put around it. Choose a function.": (
        "파일의 최상위 코드는 함수가 아니므로 변환을 씌울 수 없습니다. 함수를 고르세요."
    ),
    "vmap walks along one axis of each argument, and these axes have different lengths. Give arguments of the same "
    "length; or exclude one with in_axes, for example in_axes=(0, None) to hand the second over whole.": (
        "vmap은 인자마다 축 하나를 따라가는데, 그 축들의 길이가 다릅니다. 길이를 맞추거나, in_axes=(0, None)처럼 두 번째 인자를 "
        "통째로 넘기세요."
    ),
    "The arguments are handed over by name here, and in_axes speaks only of those that are handed over by position. Map "
    "inside of a function: def f(x, key): return jax.vmap(g, in_axes=(0, None))(x, key).": (
        "여기서는 인자를 이름으로 넘기는데, in_axes는 위치 인자에만 적용됩니다. 함수 안에서 매핑하세요: "
        "def f(x, key): return jax.vmap(g, in_axes=(0, None))(x, key)."
    ),
    "in_axes must have one entry for each positional argument: the axis to map, or None to hand it over whole. Give a "
    "tuple as long as the arguments, for example in_axes=(0, None); or one number for all of them.": (
        "in_axes에는 위치 인자마다 매핑할 축이나, 통째로 넘긴다는 None이 하나씩 있어야 합니다. in_axes=(0, None)처럼 인자 수만큼 "
        "주거나, 모두에 수 하나를 주세요."
    ),
    "in_axes excludes every argument, so vmap has no axis to walk along and does not know how many times to run. Map one "
    "argument at least, for example in_axes=(0, None); or say axis_size=...": (
        "in_axes가 모든 인자를 빼서 vmap이 따라갈 축이 없고 몇 번 실행할지 모릅니다. in_axes=(0, None)처럼 인자를 하나라도 "
        "매핑하거나, axis_size=...를 주세요."
    ),
    "vmap should walk along axis {axis}, and an argument of shape {shape} has no such axis. Exclude this argument with "
    "None in in_axes; or give it one value for each example.": (
        "vmap이 축 {axis}번을 따라가야 하는데 모양이 {shape}인 인자에는 그 축이 없습니다. in_axes에서 이 인자를 None으로 "
        "빼거나, 샘플마다 값을 하나씩 주세요."
    ),
    "out_axes=None says that all examples return the same, and this output differs between examples. Leave out_axes away "
    "to stack the outputs; or return something that does not depend on the mapped arguments.": (
        "out_axes=None은 모든 샘플의 결과가 같다는 뜻인데, 이 출력은 샘플마다 다릅니다. out_axes를 빼서 출력을 쌓거나, 매핑한 "
        "인자와 상관없는 것을 돌려주세요."
    ),
    "A product a @ b needs the last axis of a and the last but one of b to have the same length; here they have {left} "
    "and {right}. Transpose one of them (b.T); or look at x.shape one line above.": (
        "a @ b를 하려면 a의 마지막 축과 b의 끝에서 두 번째 축의 길이가 같아야 하는데, 여기서는 {left}와 {right}입니다. 한쪽을 "
        "전치(b.T)하거나, 윗줄에서 x.shape를 살펴보세요."
    ),
    "The shapes {shapes} do not fit together: from the right, each pair of lengths must be equal or one of them 1. Add an "
    "axis of length 1 with x[:, None] where values should repeat; or transpose or reshape one of them.": (
        "모양 {shapes}: 서로 맞지 않습니다. 오른쪽부터 길이가 같거나 한쪽이 1이어야 브로드캐스트됩니다. 값을 되풀이할 곳에 "
        "x[:, None]으로 길이 1인 축을 넣거나, 한쪽을 전치하거나 reshape하세요."
    ),
    "Reshaping keeps every value: {old} holds {have} and {new} would hold {want}. Choose lengths whose product is {have}; "
    "or let JAX work one out with -1.": (
        "reshape는 모든 값을 지킵니다. {old}에는 값이 {have}개, {new}에는 {want}개가 듭니다. 곱이 {have}인 길이를 고르거나, "
        "-1을 써서 JAX가 정하게 하세요."
    ),
    "The arrays do not fit together: apart from the axis along which they are joined, all lengths must be equal. Check "
    "the axis argument; or reshape them first.": (
        "배열이 서로 맞지 않습니다. 잇는 축을 빼고는 길이가 모두 같아야 합니다. axis 인자를 살펴보거나, 먼저 reshape하세요."
    ),
    "scan hands the carry from step to step in one fixed place, so it must keep its shape and dtype. Start with a value "
    "of the final type, for example jnp.zeros(shape, dtype); or convert it at the end of the body.": (
        "scan은 carry를 정해진 한 자리에서 단계마다 넘기므로 모양과 dtype이 그대로여야 합니다. jnp.zeros(shape, dtype)처럼 최종 "
        "타입으로 시작하거나, 본문 끝에서 변환하세요."
    ),
    "A loop hands its value from round to round in one fixed place, so it must keep its shape and dtype. Start with a "
    "value of the final type; or convert it at the end of the body.": (
        "루프는 값을 정해진 한 자리에서 다음으로 넘기므로 모양과 dtype이 그대로여야 합니다. 최종 타입으로 시작하거나, 본문 "
        "끝에서 변환하세요."
    ),
    "Only one branch runs, but the program after it is fixed, so all branches must return the same shapes and dtypes. "
    "Convert one of them with astype or jnp.broadcast_to; or use jnp.where on values of one shape.": (
        "분기는 하나만 실행되지만 그 뒤의 프로그램은 정해져 있으므로, 모든 분기가 같은 모양과 dtype을 돌려줘야 합니다. "
        "astype이나 jnp.broadcast_to로 맞추거나, 모양이 같은 값에 jnp.where를 쓰세요."
    ),
    "grad differentiates one number, and the function returns an array of shape {shape}. Reduce it to a loss with .sum() "
    "or .mean(); or use jax.jacobian for the derivative of every entry.": (
        "grad는 수 하나를 미분하는데, 함수가 모양이 {shape}인 배열을 돌려줍니다. .sum()이나 .mean()으로 손실 하나로 줄이거나, "
        "원소마다 미분하려면 jax.jacobian을 쓰세요."
    ),
    "A value of dtype {dtype} cannot change by a little, so there is no gradient with respect to it. Pass a float, for "
    "example 3.0; or choose another argument with argnums.": (
        "dtype이 {dtype}인 값은 조금씩 변할 수 없어 기울기가 없습니다. 3.0처럼 float를 넘기거나, argnums로 다른 인자를 고르세요."
    ),
    "A JAX array never changes once made: other parts of the program may rely on it. Make a changed copy with x = "
    "x.at[i].set(value); inside jit it costs no copy.": (
        "JAX 배열은 한번 만들면 바뀌지 않습니다. 프로그램의 다른 곳이 그 값을 믿고 있을 수 있습니다. x = x.at[i].set(value)로 "
        "바뀐 사본을 만드세요. jit 안에서는 복사 비용이 없습니다."
    ),
    "jit keeps one compiled program for each value of a static argument and finds it by hash, and a list, dict or array "
    "has none. Pass a tuple or a number; or make it an ordinary argument, if it is an array.": (
        "jit은 static 인자의 값마다 컴파일한 프로그램을 두고 해시로 찾는데, 리스트, dict, 배열에는 해시가 없습니다. 튜플이나 수를 "
        "넘기거나, 배열이라면 보통 인자로 만드세요."
    ),
    "The arguments of a jitted function become arrays, and {name} cannot. Mark it as a constant with jax.jit(f, "
    "static_argnames='{name}'); or bind it beforehand with functools.partial.": (
        "jit된 함수의 인자는 배열이 되는데, {name} 인자는 될 수 없습니다. jax.jit(f, static_argnames='{name}')으로 상수로 "
        "표시하거나, functools.partial로 미리 묶으세요."
    ),
    "{size}The device has too little free memory for this array. Make the batch or the array smaller; or take a few examples at a time with jax.lax.map(f, xs, batch_size=...) in place of vmap, or keep less for grad with jax.checkpoint.": (
        "{size}장치에 이 배열을 둘 메모리가 모자랍니다. 배치나 배열을 줄이거나, vmap 대신 jax.lax.map(f, xs, batch_size=...)으로 "
        "샘플을 몇 개씩 처리하거나, grad가 남기는 값을 jax.checkpoint로 줄이세요."
    ),
    "out_axes must be one number for all outputs, or have the structure of what the function returns: one entry for each of its outputs. Leave out_axes away to stack every output along axis 0.": (
        "out_axes는 모든 출력에 대한 수 하나이거나, 함수가 돌려주는 것과 구조가 같아야 합니다. 출력마다 항목이 하나씩 있어야 합니다. "
        "out_axes를 빼면 모든 출력이 축 0에 쌓입니다."
    ),
    "Only one branch runs, but the program after it is fixed, so all branches must return the same structure: as many values, in tuples or dicts alike. Let each branch return the same kind of thing.": (
        "분기는 하나만 실행되지만 그 뒤의 프로그램은 정해져 있으므로, 모든 분기가 같은 구조를 돌려줘야 합니다. 값의 개수와 튜플, 딕셔너리가 "
        "같아야 합니다. 분기마다 같은 구조를 돌려주게 하세요."
    ),
    "The body of a scan must return (carry, output), and its carry must have the structure of the one that it was given: as many values, in tuples or dicts alike. Return the whole carry.": (
        "scan의 본문은 (carry, 출력)을 돌려줘야 하고, carry의 구조는 받은 것과 같아야 합니다. 값의 개수와 튜플, 딕셔너리가 같아야 합니다. "
        "carry 전체를 돌려주세요."
    ),
    "The test of a while loop must give one True or False. Compare, for example x > 0; and make one answer of many with .any() or .all().": (
        "while 반복의 조건은 True나 False 하나여야 합니다. x > 0처럼 비교하고, 여러 값이면 .any()나 .all()로 하나로 만드세요."
    ),
    "There is no axis {axis}: this array has rank {rank}, and its axes are counted from 0, or from -1 at the end.": (
        "축 {axis}는 없습니다. 이 배열의 차원은 {rank}이고, 축은 0부터, 끝에서는 -1부터 셉니다."
    ),
    "In einsum one letter stands for one length, and {label} would be {other} and {one}. Look at the order of the letters; or give the axes letters of their own.": (
        "einsum에서 글자 하나는 길이 하나를 뜻하는데, {label}의 길이가 {other}이면서 {one}이 됩니다. 글자의 순서를 살피거나 축마다 다른 "
        "글자를 주세요."
    ),
    "Swap the sides: {new}": "양쪽 바꾸기: {new}",
    "Let {branch} return {type} too": "{branch}도 {type} 돌려주기",
    "Use the last axis: axis=-1": "마지막 축 쓰기: axis=-1",
    "Make {parameter} smaller: {new}": "{parameter} 줄이기: {new}",
    "Take one example at a time with jax.lax.map": "jax.lax.map으로 샘플을 하나씩 처리하기",
    "Take {size} examples at a time with jax.lax.map": "jax.lax.map으로 샘플을 {size}개씩 처리하기",
    "This asks for {size}. ": "{size} 크기를 요구합니다. ",
    "JAX sees no {name} on this machine. Choose another device; or install the JAX build and the driver for it.": (
        "JAX가 이 컴퓨터에서 {name} 장치를 찾지 못합니다. 다른 장치를 고르거나, 그 장치용 JAX와 드라이버를 설치하세요."
    ),
    "The computer has too little free memory for this. Make the arrays smaller; or work on them piece by piece.": (
        "컴퓨터의 메모리가 모자랍니다. 배열을 줄이거나, 조금씩 나누어 처리하세요."
    ),
    "Python could not read the program, so nothing ran. Lines of one block must begin in the same column, and a block "
    "follows each colon. Check the spaces of the marked line; and those of the line above.": (
        "Python이 프로그램을 읽지 못해 아무것도 실행하지 않았습니다. 한 블록의 줄은 같은 칸에서 시작해야 하고, 콜론 뒤에는 블록이 "
        "와야 합니다. 표시된 줄과 윗줄의 공백을 살펴보세요."
    ),
    "Python could not read the program, so nothing ran. Look at the marked place: often a bracket or quote is left open "
    "just before it, or a colon or comma is missing.": (
        "Python이 프로그램을 읽지 못해 아무것도 실행하지 않았습니다. 표시된 곳을 보세요. 그 앞에서 괄호나 따옴표를 닫지 않았거나, "
        "콜론이나 쉼표가 빠진 때가 많습니다."
    ),
    "The Python that runs this program has no package {name}. Check the spelling; or install it into that Python and run "
    "it again.": (
        "이 프로그램을 실행하는 Python에 {name} 패키지가 없습니다. 철자를 살펴보거나, 그 Python에 설치하고 다시 실행하세요."
    ),
    "A function called itself until Python's limit was reached. Give it a case in which it stops; or write it as a loop "
    "(inside jit: jax.lax.fori_loop or scan).": (
        "함수가 Python의 한도까지 자기 자신을 불렀습니다. 멈추는 경우를 두거나, 반복문으로 쓰세요(jit 안에서는 "
        "jax.lax.fori_loop나 scan)."
    ),
    "The program asked Python to quit, so there is no result. Remove the call of exit; or move it under if __name__ == "
    '"__main__".': (
        '프로그램이 Python을 끝내려 해서 결과가 없습니다. exit 호출을 빼거나, if __name__ == "__main__" 아래로 옮기세요.'
    ),
    "The program asked to quit.": "프로그램이 끝내기를 요청했습니다.",
    "The program asked to quit with code {code}.": "프로그램이 코드 {code}로 끝내기를 요청했습니다.",
    "Nothing called {name} exists at this point.": "여기에는 {name}라는 이름이 없습니다.",
    "{said} Add the line `{line}` at the top; or check the spelling.": "{said} 맨 위에 `{line}` 줄을 넣거나, 철자를 살펴보세요.",
    "{said} Did you mean {near}?": "{said} 혹시 {near} 아닌가요?",
    "{said} Check the spelling; or define or import it above this line.": (
        "{said} 철자를 살펴보거나, 이 줄보다 위에서 정의하거나 import하세요."
    ),
    "{name} is given a value somewhere in this function, which makes it local, and it is read before that. Set it first; "
    "or give the outer value in as an argument.": (
        "이 함수 안에서 {name}에 값을 넣으므로 지역 변수인데, 그보다 먼저 읽었습니다. 먼저 값을 넣거나, 바깥 값을 인자로 받으세요."
    ),
    # -- fixes ------------------------------------------------------------------------------------------------
    "Choose with jnp.where (both sides are computed)": "jnp.where로 고르기 (양쪽 다 계산)",
    "Choose with jax.lax.cond (one side runs)": "jax.lax.cond로 고르기 (한쪽만 실행)",
    "Loop with jax.lax.while_loop": "jax.lax.while_loop로 반복하기",
    "Loop with jax.lax.fori_loop": "jax.lax.fori_loop로 반복하기",
    "Use {new}, which takes arrays": "배열을 받는 {new} 쓰기",
    "Make {argument} a static argument of jit": "{argument}: jit의 static 인자로 만들기",
    "Keep it an array: {new}": "배열로 두기: {new}",
    "Use {new} in place of {old}": "{old} 대신 {new} 쓰기",
    "Keep the shape and put 0 where the mask is False": "모양을 두고 마스크가 False인 곳에 0 넣기",
    "Leave the rest out with where=": "where=로 나머지 빼기",
    "Say how many there can be: size={size}": "최대 개수 정하기: size={size}",
    "Slice with jax.lax.dynamic_slice_in_dim": "jax.lax.dynamic_slice_in_dim으로 자르기",
    "Make the list an array, then index it": "리스트를 배열로 바꿔 trace된 인덱스로 고르기",
    "Copy the values out with jax.debug.callback": "jax.debug.callback으로 값 꺼내기",
    "Call {call} for each key with jax.vmap": "jax.vmap으로 key마다 {call} 부르기",
    "Use the first key only: {keys}[0]": "첫 key만 쓰기: {keys}[0]",
    "Make a key of it: jax.random.key({seed})": "key로 만들기: jax.random.key({seed})",
    "Make another key with jax.random.fold_in": "jax.random.fold_in으로 다른 key 만들기",
    "Take the key's words: jax.random.key_data": "key 데이터 쓰기: jax.random.key_data",
    "Set in_axes={new}": "in_axes={new}로 하기",
    "Split {key} into one key for each example": "{key} 나누어 샘플마다 하나씩 주기",
    "Stack the outputs: leave out_axes away": "out_axes를 빼서 출력 쌓기",
    "Transpose {operand}": "{operand} 전치하기",
    "Give {operand} an axis of length 1: {new}": "{operand}에 길이 1인 축 넣기: {new}",
    "Reshape to {new}": "{new}로 reshape하기",
    "Join along axis {axis}": "축 {axis}에서 잇기",
    "Start with {new}": "{new}로 시작하기",
    "Sum the outputs before grad": "grad 전에 출력 더하기",
    "Pass the float {new}": "float {new} 넘기기",
    "Make a changed copy with .at[...]": ".at[...]으로 바뀐 사본 만들기",
    "Pass a tuple in place of the list": "리스트 대신 튜플 넘기기",
    "Use the devices that there are: jax.devices()": "있는 장치 쓰기: jax.devices()",
    "Add {line}": "{line} 넣기",
    "Write {new}": "{new}로 쓰기",
    "Add a function inputs with what it needs": "필요한 값을 주는 inputs 함수 추가",
    "Split {key} before it is used again": "{key} 다시 쓰기 전에 나누기",
    # -- the program, its inputs and transforms ---------------------------------------------------------------
    "dict whose keys are not names": "키가 이름이 아닌 dict",
    "inputs returned a {kind}. It must return a dict of named arguments, for example dict(x=x, key=key).": (
        "inputs가 {kind} 값을 돌려주었습니다. dict(x=x, key=key)처럼 이름 붙인 인자의 dict를 돌려줘야 합니다."
    ),
    "inputs has no parameter {name}. It has {known}.": "inputs에 {name} 매개변수가 없습니다. 있는 것: {known}.",
    "none that can be set": "정할 수 있는 것 없음",
    "There is no function named {variant} in this code.": "이 코드에 {variant} 함수가 없습니다.",
    "{variant} needs {names}, and there is no function inputs that returns them.": (
        "{variant}에 {names} 값이 필요한데, 그 값을 돌려주는 inputs 함수가 없습니다."
    ),
    "inputs returns a dict of named arguments, for example dict(x=x, key=key), and every function that takes those "
    "names is run with them.": (
        "inputs는 dict(x=x, key=key)처럼 이름 붙은 인자의 dict를 돌려줍니다. 그 이름들을 받는 함수는 모두 그 값으로 실행됩니다."
    ),
    "{variant} needs {names}, which inputs does not return.": "{variant}에 {names} 값이 필요한데 inputs가 돌려주지 않습니다.",
    "inputs needs a default for its argument {name}, for example {name}=32.": (
        "inputs의 인자 {name}에 {name}=32처럼 기본값이 있어야 합니다."
    ),
    "{name} is {default} by default, so it cannot be set to {value}.": "{name}의 기본값이 {default}여서 {value}로 정할 수 없습니다.",
    "{name} is {type}": "{name}: {type}",
    "{name} has {length} along axis {axis}": "{name}의 축 {axis}은 {length}",
    " of shape {shape}": "(모양 {shape})",
    "grad differentiates one number, and what it was applied to returns an array{of_shape}. Tick “of the sum” beside grad "
    "to differentiate the sum of its entries; or let {variant} return a loss.": (
        "grad는 수 하나를 미분하는데, 씌운 함수가 배열{of_shape}을 돌려줍니다. grad 옆의 “합으로”를 켜서 합을 미분하거나, "
        "{variant}에서 손실 하나를 돌려주세요."
    ),
    "{variant} takes no argument, so there is nothing to map over or to differentiate.": (
        "{variant}에 인자가 없어 매핑하거나 미분할 것이 없습니다."
    ),
    "{transform} needs a floating-point argument, which can change by a little, and {variant} has none: {types}.": (
        "{transform}에는 조금씩 변할 수 있는 부동소수점 인자가 필요한데 {variant}에는 없습니다. {types}."
    ),
    "{transform} with respect to {name} is not possible: {name} is {type}, which cannot change by a little. Choose a "
    "floating-point argument.": (
        "{name}에 대해서는 {transform}을 할 수 없습니다. {name}: {type}. 이 타입은 조금씩 변할 수 없습니다. 부동소수점 인자를 고르세요."
    ),
    "vmap cannot walk along axis {axis} of {name}, which is {type}: it has no such axis. Choose another axis, or “shared” "
    "to give all of {name} to every example.": (
        "{name}({type})에는 vmap이 따라갈 {axis}번 축이 없습니다. 다른 축을 고르거나, “공유”로 {name} 전체를 샘플마다 주세요."
    ),
    "vmap needs at least one argument of {variant} with an axis to walk along; each place along it is one example. Choose "
    "an axis in the row of transforms.": (
        "vmap에는 {variant}의 인자 가운데 따라갈 축이 적어도 하나 필요합니다. 그 축의 위치 하나가 샘플 하나입니다. 변환 줄에서 "
        "축을 고르세요."
    ),
    "vmap takes one example out of each argument at a time, so these axes must be equally long: {words}.": (
        "vmap은 인자마다 샘플을 하나씩 꺼내므로 이 축들의 길이가 같아야 합니다: {words}."
    ),
    "There is no device {name} here. JAX has {known}.": "여기에는 {name} 장치가 없습니다. JAX에 있는 장치: {known}.",
    "JAX has no device that works.": "JAX가 쓸 수 있는 장치가 없습니다.",
    # -- timing -----------------------------------------------------------------------------------------------
    "from empty caches, with all that it traces and compiles": "빈 캐시에서, trace와 컴파일을 모두 포함",
    "with what earlier points had compiled": "앞의 점에서 컴파일한 것을 이어 씀",
    "recompiled inside the loop: something is traced and compiled anew in every call": (
        "반복 안에서 다시 컴파일: 호출마다 무언가를 새로 trace하고 컴파일합니다"
    ),
    "a block in which something was compiled was thrown away and repeated": "컴파일이 섞인 블록을 버리고 다시 쟀습니다",
    "hand-over: from here on JAX gives the work to another thread and the call returns before it is done, which costs "
    "some tens of microseconds; a step in the curve here is not work alone": (
        "넘김: 여기부터 JAX가 일을 다른 스레드에 넘기고, 호출은 끝나기 전에 돌아옵니다. 여기에 수십 마이크로초가 들므로, 곡선이 "
        "여기서 뛰는 것은 계산 때문만이 아닙니다"
    ),
    "timed with transforms: {call}": "변환을 씌워 잼: {call}",
    "timed the wrong way on purpose: {way}": "일부러 잘못 잼: {way}",
    "no JAX array came back, so the device that it ran on is not known": "JAX 배열이 돌아오지 않아 어느 장치에서 실행했는지 모릅니다",
    "ran on {where} though {wanted} was asked for": "{wanted} 대신 {where}에서 실행했습니다",
    "the clock jumped: 1 block thrown away": "시계가 건너뛰어 블록 1개를 버렸습니다",
    "the clock jumped: {count} blocks thrown away": "시계가 건너뛰어 블록 {count}개를 버렸습니다",
    "cut short: stopped after 1 sample": "중단: 표본 1개에서 멈춤",
    "cut short: stopped after {count} samples": "중단: 표본 {count}개에서 멈춤",
    "{device} does not answer any more. What was timed before stays; restart the worker to go on.": (
        "{device}에서 더는 답이 없습니다. 앞서 잰 것은 남습니다. 계속하려면 작업 프로세스를 다시 시작하세요."
    ),
    "it failed at {value} already": "{value}에서 이미 실패했습니다",
    "one call would take about {call} s, and the budget is {budget} s": "호출 한 번에 약 {call}초가 걸리는데 예산은 {budget}초입니다",
    "the first call would take about {first} s": "첫 호출에 약 {first}초가 걸립니다",
    # -- whether a timing can be believed ---------------------------------------------------------------------
    "The clock stops when all outputs are there.": "모든 출력이 나온 뒤에 시계를 멈춥니다.",
    "The clock stops when all outputs are there. The call itself returns before they are there.": (
        "모든 출력이 나온 뒤에 시계를 멈춥니다. 호출 자체는 그 전에 돌아옵니다."
    ),
    "The clock stops when the call returns. For this call the outputs are there by then; often not.": (
        "호출이 돌아올 때 시계를 멈춥니다. 이 호출은 그때 출력이 나와 있지만, 흔히 그렇지 않습니다."
    ),
    "The clock stops when the call returns, while the device still works: this is not the time of the work.": (
        "장치가 아직 일하는데 호출이 돌아올 때 시계를 멈춥니다. 일하는 데 걸린 시간이 아닙니다."
    ),
    "Of the {count} calls in each sample the first one traces and compiles.": (
        "표본마다 호출 {count}번 가운데 첫 번째가 trace하고 컴파일합니다."
    ),
    "Each call makes a new function, which is traced and compiled anew.": (
        "호출마다 새 함수를 만들어 다시 trace하고 컴파일합니다."
    ),
    "The program itself compiles in every call, so that its time holds that too.": (
        "프로그램이 호출마다 스스로 컴파일하므로 그 시간도 들어 있습니다."
    ),
    "It was called with these very arguments before the clock started, and nothing compiled since.": (
        "시계를 켜기 전에 바로 이 인자로 불렀고, 그 뒤로 컴파일한 것이 없습니다."
    ),
    "NumPy arrays are copied to the device in every call: {names}.": "NumPy 배열이 호출마다 장치로 복사됩니다: {names}.",
    "No JAX array came back, so the device that it ran on is not known.": (
        "JAX 배열이 돌아오지 않아 어느 장치에서 실행했는지 모릅니다."
    ),
    "It ran on {where} though {wanted} was asked for.": "{wanted} 대신 {where}에서 실행했습니다.",
    "Arguments and outputs are on {where}.": "인자와 출력이 {where}에 있습니다.",
    "It is not compiled as one program, so that no work can be folded into a constant.": (
        "한 프로그램으로 컴파일하지 않으므로 일이 상수로 접힐 수 없습니다."
    ),
    "The compiled program cannot be read on this device.": "이 장치에서는 컴파일한 프로그램을 읽을 수 없습니다.",
    "The compiled program depends on its arguments.": "컴파일한 프로그램이 인자를 씁니다.",
    "The compiled program does its work in every call, but no argument reaches its result.": (
        "컴파일한 프로그램이 호출마다 일하지만, 인자가 결과에 닿지 않습니다."
    ),
    "The compiler has put a constant in place of the work: this is the time to hand out a known result.": (
        "컴파일러가 일을 상수로 바꾸었습니다. 아는 결과를 내주는 시간입니다."
    ),
    "It was alone at this point, so that there is nothing to compare it with.": "이 점에서 혼자여서 견줄 것이 없습니다.",
    "Its blocks took turns with those of 1 other curve, in random order.": "다른 곡선 1개와 무작위 순서로 번갈아 쟀습니다.",
    "Its blocks took turns with those of {count} other curves, in random order.": (
        "다른 곡선 {count}개와 무작위 순서로 번갈아 쟀습니다."
    ),
    "The program turned on what slows JAX down: {flags}.": "프로그램이 JAX를 느리게 하는 것을 켰습니다: {flags}.",
    "The key checker, NaN checks, logging of compiles and the cache on disk were off.": (
        "key 검사, NaN 검사, 컴파일 로그, 디스크 캐시를 모두 껐습니다."
    ),
    "It is called for the first time.": "처음 호출되었습니다.",
    "It is a new function object, made anew since the last call: jit remembers its programs by the object.": (
        "지난 호출 뒤에 새로 만든 함수 객체입니다. jit은 프로그램을 객체로 기억합니다."
    ),
    "The arguments have a new structure: other names, other keys, or another nesting.": (
        "인자의 구조가 새롭습니다. 이름이나 딕셔너리 key, 또는 중첩이 다릅니다."
    ),
    "The settings of JAX around the call are others: a flag, a mesh or a context.": (
        "호출할 때의 JAX 설정이 다릅니다. flag나 mesh, context가 바뀌었습니다."
    ),
    "A static argument has a new value: it is part of the program.": "static 인자의 새 값: 프로그램의 일부입니다.",
    "{name} is static and has a new value, {value}: it is part of the program.": (
        "static 인자 {name}의 새 값 {value}: 프로그램의 일부입니다."
    ),
    "{name} came with a new shape: {now} instead of {then}.": "{name}의 새 모양: {then} 대신 {now}.",
    "{name} came with a new dtype: {now} instead of {then}.": "{name}의 새 dtype: {then} 대신 {now}.",
    "{name} came as a Python number, {now}, instead of an array.": "{name}: 배열이 아니라 Python 숫자 {now}입니다.",
    "{name} came as an array, {now}, instead of a Python number.": "{name}: Python 숫자가 아니라 배열 {now}입니다.",
    "{name} came as another type: {now} instead of {then}.": "{name}의 타입이 다릅니다: {then} 대신 {now}.",
    "There is no sample.": "표본이 없습니다.",
    "1 sample": "표본 1개",
    "{count} samples": "표본 {count}개",
    "The median is known to {precision} %, from {samples}.": "{samples}로 중앙값을 {precision} %까지 압니다.",
    "There was time for {samples} only.": "시간이 모자라 {samples}만 쟀습니다.",
    "After {samples} the median is known to {precision} % only.": "{samples}로도 중앙값은 {precision} %까지만 압니다.",
    "equal, bit for bit": "비트까지 같음",
    "equal within rounding: they differ by {worst} of the largest value": "반올림 오차 안에서 같음(차이는 가장 큰 값의 {worst})",
    "different by {worst} of the largest value": "가장 큰 값의 {worst}만큼 다름",
    "different": "다름",
    "different: {mine} and {other}": "다름: {mine}와 {other}",
    "The outputs are too large to be compared.": "출력이 너무 커서 비교하지 않았습니다.",
    "There are no other outputs to compare with.": "비교할 다른 출력이 없습니다.",
    "The outputs are not those of {label}: {words}.": "출력이 {label}의 것과 다릅니다: {words}.",
    "The outputs are not those of {label}, which may be meant: {words}.": (
        "출력이 {label}의 것과 다릅니다. 뜻한 것일 수 있습니다: {words}."
    ),
    "Compared with 1 other curve the outputs are {worst}.": "다른 곡선 1개와 견준 출력: {worst}.",
    "Compared with {count} other curves the outputs are {worst}.": "다른 곡선 {count}개와 견준 출력: {worst}.",
}
