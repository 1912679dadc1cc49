// A vitest reporter that writes what the closing line needs to a file: counts, and every skipped test with its reason.
import { writeFileSync } from "node:fs";

export default class ClosingLineReporter {
  onInit(vitest) {
    this.isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: [], faults: [], retried: [] };
    for (const module of modules) {
      // A file that could not be loaded, or a hook that failed, is a failure of its own.
      tally.failed += module.errors().length;
      for (const test of module.children.allTests()) this.#count(tally, module, test);
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
    }
    writeFileSync(process.env.SOUS_TEST_TALLY, JSON.stringify(tally));
  }

  #count(tally, module, test) {
    const { state, note } = test.result();
    const name = `${module.relativeModuleId} > ${test.fullName}`;
    if (state === "passed" && (test.diagnostic()?.retryCount ?? 0) > 0) tally.retried.push(name);
    if (state === "passed") tally.passed++;
    else if (state === "skipped" && note) tally.skipped.push({ name, reason: note });
    else if (state === "skipped" && this.isFiltered) return;
    else {
      tally.failed++;
      if (state === "skipped") tally.faults.push(`skipped without a reason: ${name}`);
      if (state === "pending") tally.faults.push(`never ran: ${name}`);
    }
  }
}
