// Return the layout faults of a page as a list of sentences: text that is cut, elements that overlap. Runs in the page.
() => {
  const wrong = [],
    name = (el) => `${el.tagName.toLowerCase()}.${el.className} “${el.textContent.trim().slice(0, 40)}”`;
  if (document.documentElement.scrollWidth > innerWidth)
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const hidden = (el) => !el.checkVisibility({ visibilityProperty: true }) || el.closest(".unseen, .skip, [hidden]");
  const scrolls = (el) => ["auto", "scroll"].includes(getComputedStyle(el).overflowX);
  const worded = [...document.querySelectorAll("body *")].filter(
    (el) =>
      !hidden(el) &&
      !el.closest("option, svg, script") &&
      [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim()),
  );
  for (const el of worded) {
    const { overflowX, overflowY, display, textOverflow } = getComputedStyle(el),
      short = textOverflow === "ellipsis" && el.title === el.textContent;
    if (display !== "inline" && !scrolls(el) && !short && el.scrollWidth > el.clientWidth + 1)
      wrong.push(`cut: ${name(el)}`);
    if (
      display !== "inline" &&
      overflowY === "hidden" &&
      overflowX === "hidden" &&
      el.scrollHeight > el.clientHeight + 1
    )
      wrong.push(`cut below: ${name(el)}`);
    for (let up = el; up && !scrolls(up); up = up.parentElement) {
      if (up === document.body && el.getBoundingClientRect().right > innerWidth + 1) wrong.push(`outside: ${name(el)}`);
      if (
        up !== el &&
        getComputedStyle(up).overflowX === "hidden" &&
        el.getBoundingClientRect().right > up.getBoundingClientRect().right + 1
      )
        wrong.push(`hidden: ${name(el)}`);
    }
  }
  for (const parent of document.querySelectorAll(
    `.felt, .others, .seat, .racers, .racers li, .menu, .turn, #bar, #bar nav, .end, .counts, .row, .fields, td, aside,
    .uno, .any, .choices, .mines, .room, body`,
  )) {
    const boxes = [...parent.children].filter(
      (el) =>
        !hidden(el) &&
        !["absolute", "fixed"].includes(getComputedStyle(el).position) &&
        getComputedStyle(el).display !== "contents",
    );
    const areas = boxes.map((el) => el.getBoundingClientRect());
    areas.forEach((a, i) =>
      areas.slice(i + 1).forEach((b, j) => {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left),
          y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > 1 && y > 1) wrong.push(`${name(boxes[i])} lies on ${name(boxes[i + 1 + j])}`);
      }),
    );
    const around = parent.getBoundingClientRect();
    if (!hidden(parent) && !scrolls(parent) && parent !== document.body)
      boxes.forEach((el, i) => {
        if (areas[i].bottom > around.bottom + 1 || areas[i].right > around.right + 1)
          wrong.push(`${name(el)} falls out of ${name(parent)}`);
      });
  }
  return wrong.slice(0, 8);
};
