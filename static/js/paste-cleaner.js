// HTML from documents and web pages as the blocks that a page can have, and what was dropped.
import { isSafeAddress } from "./addresses.js";
import { wordItem, WordLists } from "./paste-word.js";

const SILENT = "script,style,meta,link,title,head,template,noscript,base,colgroup,source,track,param";
const COUNTED = {
  picture: "img,picture,svg,canvas",
  media: "video,audio,iframe,object,embed",
  field: "input,select,textarea,button",
};
const MARKS = {
  ...{ b: "bold", strong: "bold", i: "italic", em: "italic", cite: "italic", u: "underline", ins: "underline" },
  ...{ s: "strike", strike: "strike", del: "strike", code: "code", kbd: "code", samp: "code", tt: "code", pre: "code" },
};
const ORDER = ["link", "bold", "italic", "underline", "strike", "code"];
const LOOKS = ["color", "background-color", "background", "font-family", "font-size"];
const USUAL_ALIGN = ["", "left", "start", "justify"];
const MAX_DEPTH = 5;
const CONTAINERS =
  "P,DIV,SECTION,ARTICLE,MAIN,HEADER,FOOTER,ASIDE,NAV,ADDRESS,FIGURE,FIGCAPTION,DL,DT,DD,LI,PRE,CENTER,BODY,DETAILS,SUMMARY,FORM,FIELDSET,LEGEND,TBODY,THEAD,TFOOT".split(
    ",",
  );

// The content security policy would refuse inline styles and handlers, also in a document that nobody sees: they are read as text.
export function parsePasted(html) {
  const plain = html
    .replace(/<style[\s\S]*?<\/style>/gi, "")
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\s(style|on[a-z]+)(?=\s*=)/gi, " data-$1"));
  return new DOMParser().parseFromString(plain, "text/html").body;
}

function stylesOf(element) {
  const pairs = (element.dataset.style ?? "").split(";").map((each) => each.split(":"));
  return new Map(
    pairs
      .filter((pair) => pair.length > 1)
      .map(([name, ...value]) => [name.trim().toLowerCase(), value.join(":").trim().toLowerCase()]),
  );
}

export function cleanHtml(html) {
  const body = parsePasted(html);
  const cleaner = new PasteCleaner();
  const nodes = cleaner.readBlocks(body, [], 0);
  return { nodes, dropped: cleaner.dropped };
}

class PasteCleaner {
  dropped = {};

  drop(name, count = 1) {
    this.dropped[name] = (this.dropped[name] ?? 0) + count;
  }

  // The blocks in an element. Text and its marks between two blocks are a paragraph.
  readBlocks(element, marks, depth) {
    const blocks = [];
    let line = [];
    const lists = new WordLists();
    const endLine = () => {
      const content = trimLine(line);
      line = [];
      if (content.length) blocks.push({ type: "paragraph", content });
    };
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) line.push(...this.readText(child, marks));
      if (child.nodeType !== Node.ELEMENT_NODE || this.isDropped(child)) continue;
      const inner = this.marksOf(child, marks);
      if (child.nodeName === "BR") line.push({ type: "hardBreak" });
      else if (!isBlock(child) && !child.querySelector(BLOCKS)) line.push(...this.readLine(child, inner));
      else {
        endLine();
        const item = wordItem(child);
        if (item) {
          lists.add(blocks, item, trimLine(this.readLine(child, inner)));
          continue;
        }
        blocks.push(...this.readBlock(child, inner, depth));
      }
      if (line.length === 0) lists.end();
    }
    endLine();
    return blocks;
  }

  readBlock(element, marks, depth) {
    const name = element.nodeName;
    if (/^H[1-6]$/.test(name)) {
      const content = trimLine(this.readLine(element, marks));
      return content.length ? [{ type: "heading", attrs: { level: Number(name[1]) }, content }] : [];
    }
    if (name === "HR") return [{ type: "horizontalRule" }];
    if (name === "TABLE") return this.readTable(element, marks);
    if ((name === "UL" || name === "OL") && depth < MAX_DEPTH) return this.readList(element, marks, depth);
    const inner = this.readBlocks(element, marks, depth + (name === "BLOCKQUOTE" ? 1 : 0));
    return name === "BLOCKQUOTE" && inner.length && depth < MAX_DEPTH
      ? [{ type: "blockquote", content: inner }]
      : inner;
  }

  readList(element, marks, depth) {
    const items = [];
    for (const child of element.children) {
      if (this.isDropped(child)) continue;
      const inner = this.readBlocks(wrapped(child), this.marksOf(child, marks), depth + 1);
      // Some programs put a nested list beside the item that it belongs to.
      if (child.matches("ul,ol") && items.length) items.at(-1).content.push(...inner);
      else if (inner.length) items.push({ type: "listItem", content: inner });
    }
    if (!items.length) return [];
    const start = Number.parseInt(element.getAttribute("start") ?? "1", 10) || 1;
    if (element.nodeName === "UL") return [{ type: "bulletList", content: items }];
    return [{ type: "orderedList", attrs: { start: Math.min(Math.max(start, 0), 99_999) }, content: items }];
  }

  // A page has no table of this kind among its texts: each row is a paragraph.
  readTable(table, marks) {
    this.drop("table");
    return [...table.rows].flatMap((row) => {
      const cells = [...row.cells].map((cell) => trimLine(this.readLine(cell, this.marksOf(cell, marks))));
      const content = cells
        .filter((cell) => cell.length)
        .flatMap((cell, index) => (index ? [text(" · "), ...cell] : cell));
      return content.length ? [{ type: "paragraph", content }] : [];
    });
  }

  readLine(element, marks) {
    return [...element.childNodes].flatMap((child) => {
      if (child.nodeType === Node.TEXT_NODE) return this.readText(child, marks);
      if (child.nodeType !== Node.ELEMENT_NODE || this.isDropped(child)) return [];
      if (child.nodeName === "BR") return [{ type: "hardBreak" }];
      const inner = this.readLine(child, this.marksOf(child, marks));
      return isBlock(child) && inner.length ? [text(" "), ...inner] : inner;
    });
  }

  readText(node, marks) {
    const isExact = node.parentElement.closest("pre") !== null;
    const lines = isExact ? node.data.replaceAll("\r", "").split("\n") : [node.data.replace(/[ \t\n\r\f]+/g, " ")];
    return lines.flatMap((line, index) => [
      ...(index ? [{ type: "hardBreak" }] : []),
      ...(line ? [text(clean(line), marks)] : []),
    ]);
  }

  isDropped(element) {
    if (element.matches(SILENT) || /mso-list:\s*ignore|display:\s*none/i.test(element.dataset.style ?? "")) return true;
    if (element.matches(".MsoCommentReference, [id^='_com_'], [class*='msocom']")) {
      this.drop("note");
      return true;
    }
    const name = Object.keys(COUNTED).find((each) => element.matches(COUNTED[each]));
    if (name) this.drop(name);
    return name !== undefined;
  }

  marksOf(element, marks) {
    const style = stylesOf(element);
    const found = new Map(marks.map((mark) => [mark.type, mark]));
    const set = (name, isOn) => (isOn ? found.set(name, { type: name }) : found.delete(name));
    const name = MARKS[element.localName];
    if (name) set(name, true);
    const weight = style.get("font-weight");
    if (weight) set("bold", weight.startsWith("bold") || Number(weight) >= 600);
    if (style.has("font-style")) set("italic", style.get("font-style") === "italic");
    const line = `${style.get("text-decoration")} ${style.get("text-decoration-line")}`;
    if (line.includes("underline") && !found.has("link") && element.localName !== "a") set("underline", true);
    if (line.includes("line-through")) set("strike", true);
    if (LOOKS.some((each) => style.has(each)) || element.matches("font, mark")) this.drop("style");
    if (!USUAL_ALIGN.includes(style.get("text-align") || element.getAttribute("align") || "")) this.drop("align");
    if (element.matches("sup, sub")) this.drop("script");
    if (element.localName === "a" && element.hasAttribute("href"))
      this.setLink(element.getAttribute("href").trim(), found);
    return ORDER.map((each) => found.get(each)).filter(Boolean);
  }

  setLink(href, found) {
    if (href.startsWith("#") || href === "") return;
    if (isSafeAddress(href)) {
      found.set("link", { type: "link", attrs: { href, n: null } });
      found.delete("underline");
    } else this.drop("link");
  }
}

const BLOCKS = "p,div,h1,h2,h3,h4,h5,h6,ul,ol,blockquote,table,hr,pre,section,article,figure,dl";
const isBlock = (element) => element.matches(BLOCKS) || CONTAINERS.includes(element.nodeName);
const text = (words, marks = []) => ({ type: "text", text: words, ...(marks.length ? { marks } : {}) });
// No-break spaces between words are from editors; control characters are nobody's.
const clean = (words) => words.replace(/\p{Cc}/gu, " ").replace(/(?<=\S)\u00a0(?=\S)/g, " ");

function wrapped(element) {
  if (!element.matches("ul,ol")) return element;
  const box = document.createElement("div");
  box.append(element.cloneNode(true));
  return box;
}

// Without spaces and line breaks at the edges, and without two spaces in a row.
function trimLine(line) {
  const found = [];
  for (const node of line) {
    const last = found.at(-1);
    const isAtStart = !last || last.type === "hardBreak" || last.text?.endsWith(" ");
    if (node.type === "hardBreak" && !last) continue;
    if (node.type === "hardBreak" && last.type === "text") last.text = last.text.replace(/ +$/, "");
    const words = node.text && isAtStart ? node.text.replace(/^ +/, "") : node.text;
    if (node.type === "hardBreak") found.push(node);
    else if (words) found.push({ ...node, text: words });
  }
  while (found.length && (found.at(-1).type === "hardBreak" || !found.at(-1).text.trim())) found.pop();
  if (found.length) found.at(-1).text = found.at(-1).text.replace(/ +$/, "");
  return found.filter((node) => node.type === "hardBreak" || node.text);
}
