// The command's entry.
import manifest from "../../../package.json" with { type: "json" };

process.stdout.write(`sous ${manifest.version}\n`);
