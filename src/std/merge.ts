// Runs several generators at once and yields their events as they come. A source is advanced only after the consumer
// came back for its event, with the consumer's answer: what a source does after a yield happens after its event was
// taken. Sources that wait do not hold up the others.
export async function* merge<Out, In>(
  sources: readonly AsyncGenerator<Out, void, In>[],
): AsyncGenerator<Out, void, In> {
  type Ready = { source: AsyncGenerator<Out, void, In>; step: IteratorResult<Out, void> } | { failure: unknown };
  const ready: Ready[] = [];
  let wake = (): void => {};
  const arrive = (item: Ready): void => {
    ready.push(item);
    wake();
  };
  const advance = (source: AsyncGenerator<Out, void, In>, ...answer: [] | [In]): void => {
    source.next(...answer).then(
      (step) => arrive({ source, step }),
      (failure: unknown) => arrive({ failure }),
    );
  };

  let open = sources.length;
  for (const source of sources) advance(source);
  try {
    while (open > 0) {
      const item = ready.shift();
      if (!item) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      if ("failure" in item) throw item.failure;
      if (item.step.done) open--;
      else advance(item.source, yield item.step.value);
    }
  } finally {
    // Not awaited: return() waits for a pending next(), and what a source waits for ends by its signal.
    if (open > 0) for (const source of sources) source.return().catch(() => {});
  }
}
