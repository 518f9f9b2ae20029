// Addresses that people type or paste, read as the server reads them.
const SAFE = ["http:", "https:", "mailto:", "tel:"];
// Browsers drop these from an address.
const DROPPED = /[\p{Cc}\p{Zl}\p{Zp}\u0020\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

export function isSafeAddress(address) {
  const cleaned = address.replace(DROPPED, "").replaceAll("\\", "/");
  const before = cleaned.split(/[/?#]/)[0];
  return cleaned !== "" && (!before.includes(":") || SAFE.some((scheme) => before.toLowerCase().startsWith(scheme)));
}

// A host without scheme and an e-mail address become links that work.
export function completeAddress(typed) {
  const address = typed.trim();
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(address)) return `mailto:${address}`;
  return /^(?:[\w-]+\.)+[a-z]{2,}(?:[/?#]|$)/i.test(address) ? `https://${address}` : address;
}
