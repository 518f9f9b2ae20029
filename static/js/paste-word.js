// Lists of Word: paragraphs whose style names the list and the level; the bullet or number is a text of its own.
const LEVEL = /mso-list:[^;]*level(\d)/i;

export function wordItem(element) {
  const level = LEVEL.exec(element.dataset.style ?? "");
  if (!level || !element.matches("p, h1, h2, h3, h4, h5, h6, div")) return null;
  const marker = [...element.querySelectorAll("span")].find((each) =>
    /mso-list:\s*ignore/i.test(each.dataset.style ?? ""),
  );
  const isNumbered = /^\(?[0-9a-z]{1,4}[.)]/i.test(marker?.textContent.trim() ?? "");
  return { level: Number(level[1]), type: isNumbered ? "orderedList" : "bulletList" };
}

// Puts the paragraphs into lists, one in the other by their levels.
export class WordLists {
  open = [];

  add(blocks, { level, type }, content) {
    this.open = this.open.filter((each) => each.level <= level);
    let list = this.open.at(-1);
    if (!list || list.level < level || list.node.type !== type) {
      if (list?.level === level) this.open.pop();
      const parent = this.open.at(-1);
      const node = { type, ...(type === "orderedList" ? { attrs: { start: 1 } } : {}), content: [] };
      (parent ? parent.node.content.at(-1).content : blocks).push(node);
      list = { level, node };
      this.open.push(list);
    }
    list.node.content.push({
      type: "listItem",
      content: [{ type: "paragraph", ...(content.length ? { content } : {}) }],
    });
  }

  end() {
    this.open = [];
  }
}
