const TEXTS = 'input, textarea';

/**
 * Follows what is typed into the page; the function that it returns says whether any of that is still in a field and was not
 * submitted. Choices and searches that filter as one types are not counted: they are kept elsewhere or made again at once.
 */
export function followTyping(page: Document): () => boolean {
  const typedInto = new Set<HTMLInputElement | HTMLTextAreaElement>();
  page.addEventListener(
    'input',
    ({ target }) => {
      const isText =
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLInputElement && !['checkbox', 'radio', 'search'].includes(target.type));
      if (isText && target.matches(TEXTS)) typedInto.add(target);
    },
    { capture: true },
  );
  page.addEventListener(
    'submit',
    ({ target }) => {
      for (const field of typedInto) if (field.form === target) typedInto.delete(field);
    },
    { capture: true },
  );
  return () => {
    for (const field of typedInto) if (!field.isConnected || field.value === '') typedInto.delete(field);
    return typedInto.size > 0;
  };
}
