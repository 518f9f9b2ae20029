// Imports the scripts of the editor of a page. Only that page loads them.
import "./block-moves.js";
import "./rich-fields.js";
import "./rich-structure.js";
import "./block-menu.js";
import "./block-preview.js";
import "./block-autosave.js";
import "./rich-link.js";
import "./rich-toolbar.js";
import "./rich-paste.js";
import "./picture-drop.js";
