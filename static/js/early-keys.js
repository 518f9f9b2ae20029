// Remembers the keys that are pressed before the other scripts run. replay-keys.js presses them again. It is no module:
// a module runs after the whole page has been parsed.
{
  const keys = [];
  const remember = (event) => keys.push(event);
  addEventListener("keydown", remember, true);
  window.takeEarlyKeys = () => {
    removeEventListener("keydown", remember, true);
    return keys;
  };
}
