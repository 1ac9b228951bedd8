/** What is kept as text before it goes into a Blob, which the browser may keep on disk. */
const PART_LENGTH = 1_000_000;
const SAVED_WITHIN_MS = 60_000;

/** Creates a file that grows piece by piece, without being one text in memory. */
export function createFile(type: string): { write(text: string): void; finish(): Blob } {
  let whole = new Blob([], { type });
  let texts: string[] = [];
  let length = 0;
  const flush = () => {
    whole = new Blob([whole, ...texts], { type });
    texts = [];
    length = 0;
  };
  return {
    write(text) {
      texts.push(text);
      length += text.length;
      if (length >= PART_LENGTH) flush();
    },
    finish() {
      flush();
      return whole;
    },
  };
}

/** Hands a file to the browser as a download. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), SAVED_WITHIN_MS);
}
