// What `npm start` runs: the command with the arguments given; without any, the tour. Plain JavaScript, for every Node.
const given = process.argv.slice(2);
if (given.length === 0) process.argv.push("tour");
await import("../bin/sous.cjs");
