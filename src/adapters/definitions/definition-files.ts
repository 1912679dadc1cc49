// Definitions on this machine's disk.
import type { DefinitionFiles } from "../../ports/definition-files.ts";
import { listDefinitions } from "./list-definitions.ts";
import { pluginAgents } from "./plugin-agents.ts";
import { readDefinitionFile } from "./read-definition-file.ts";

export const definitionFiles: DefinitionFiles = {
  list: listDefinitions,
  read: readDefinitionFile,
  plugins: pluginAgents,
};
