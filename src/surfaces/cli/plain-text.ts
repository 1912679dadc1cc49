// Text of models, tools and files made safe for a terminal.
export { errorLine, oneLine, plainJson, plainText } from "../../std/plain-text.ts";
