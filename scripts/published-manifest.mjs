// The package.json that users get: what is needed to run, nothing that is only for developing.

export function publishedManifest({ scripts, devDependencies, optionalDependencies, overrides, ...rest }) {
  const optional = Object.entries(optionalDependencies ?? {}).filter(
    ([name]) => !/^node-(linux|darwin|win)-/.test(name),
  );
  return optional.length === 0 ? rest : { ...rest, optionalDependencies: Object.fromEntries(optional) };
}
