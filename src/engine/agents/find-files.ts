// Lists the definition files of all places, with what each place makes of them.
import type { DefinitionSource } from "../../core/agents/definition.ts";
import type { DefinitionFiles, FolderListing, PluginAgents } from "../../ports/definition-files.ts";
import type { DefinitionPlace, FileProblem, RegistryOptions } from "./registry-options.ts";

/** All places together. */
const MOST_FILES = 5_000;

export type FileAt = {
  readonly path: string;
  readonly stamp: string;
  readonly source: DefinitionSource;
  readonly name?: string;
};

export async function findFiles({ files, places, plugins }: RegistryOptions): Promise<{
  files: readonly FileAt[];
  problems: readonly FileProblem[];
  notices: readonly string[];
}> {
  const listAll = (all: readonly DefinitionPlace[]) => Promise.all(all.map((place) => listed(files, place)));
  const installed = plugins ? files.plugins(plugins.folder, plugins.cwd) : Promise.resolve([]);
  const both = [listAll(places), installed.then((found) => listAll(found.flatMap(pluginPlaces)))];
  const listings = (await Promise.all(both)).flat();
  const found = listings.flatMap(({ place, listing }) =>
    place.untrusted
      ? []
      : listing.files.map((file) => ({ ...file, source: sourceOf(place, file.path), ...named(place) })),
  );
  const problems = listings.flatMap(({ place, listing }) => (place.untrusted ? [] : listing.problems));
  return {
    files: found.slice(0, MOST_FILES),
    problems: [
      ...problems.map(({ file, message }) => problem(file, message)),
      ...(found.length > MOST_FILES
        ? [problem(found[MOST_FILES]?.path ?? "", `only ${MOST_FILES} definitions are read`)]
        : []),
    ],
    notices: listings.flatMap(({ place, listing }) =>
      place.untrusted && listing.exists
        ? [`the agents in ${place.path} are not loaded: the folder is not trusted (sous trust, or --trust for once)`]
        : [],
    ),
  };
}

const problem = (file: string, message: string): FileProblem => ({ file, line: 1, message, severity: "warning" });
const named = ({ name }: DefinitionPlace) => (name === undefined ? {} : { name });

async function listed(
  files: DefinitionFiles,
  place: DefinitionPlace,
): Promise<{ place: DefinitionPlace; listing: FolderListing }> {
  const { path, endings, within, direct } = place;
  // Of what is not trusted only its being there is told.
  const wanted = place.untrusted ? [] : endings;
  return {
    place,
    listing: await files.list({
      path,
      endings: wanted,
      ...(within !== undefined && { within }),
      ...(direct && { direct }),
    }),
  };
}

function pluginPlaces({ plugin, root, paths }: PluginAgents): DefinitionPlace[] {
  return paths.map((path) => ({
    path,
    endings: [".md"],
    within: root,
    source: { kind: "plugin", priority: 10, plugin },
  }));
}

/** Agents in a plugin's subfolders are called `plugin:sub:name`. */
function sourceOf(place: DefinitionPlace, file: string): DefinitionSource {
  const { plugin } = place.source;
  if (plugin === undefined) return { ...place.source, file };
  const subs = file
    .slice(place.path.length + 1)
    .split("/")
    .slice(0, -1);
  return { ...place.source, plugin: [plugin, ...subs].join(":"), file };
}
