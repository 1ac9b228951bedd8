/** Yields the text of an answer as it comes. Throws when it breaks off, so that a part is not taken for the whole. */
export async function* readText(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    const text = decoder.decode(value, { stream: !done });
    if (text !== '') yield text;
    if (done) return;
  }
}

/** Yields the complete lines that each piece of text brings, without their line ends and without empty ones. */
export async function* readLines(response: Response): AsyncGenerator<string[]> {
  let rest = '';
  for await (const text of readText(response)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const whole = lines.filter((line) => line !== '');
    if (whole.length > 0) yield whole;
  }
  if (rest !== '') yield [rest];
}
