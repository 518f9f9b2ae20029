// What the scripts of the editor of a page share: its list of blocks, and its line for announcements.
export const getBlocks = (list) => [...list.querySelectorAll(":scope > [data-block]")];

export const say = (text) => {
  const line = document.querySelector("[data-rich-report]");
  if (line) line.textContent = text;
};

export const readTexts = () => JSON.parse(document.querySelector("[data-rich-toolbar]").dataset.texts);

export function announceOrder(list) {
  for (const [index, block] of getBlocks(list).entries()) nameBlock(block, index + 1);
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

export function nameBlock(block, number) {
  const place = block.querySelector("[data-number]");
  const label = block.querySelector("[data-label]").textContent;
  const name = `${number}. ${label}`;
  if (place.textContent === String(number) && block.dataset.name === name) return;
  place.textContent = number;
  block.dataset.name = name;
  for (const button of block.querySelectorAll(":scope > fieldset > .block-acts [aria-label]")) {
    button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/: \d+\. .*$/, `: ${name}`));
  }
}
