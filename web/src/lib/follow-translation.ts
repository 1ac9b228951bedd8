/**
 * Keeps the page up to date while the browser translates it; returns a function that stops this. Google Translate replaces text nodes
 * by `<font>` elements. React keeps the old text nodes: without this its updates would be invisible, and removing such a node
 * or inserting before it would fail (https://github.com/facebook/react/issues/11538).
 */
export function followTranslation(page: Node): () => void {
  const { removeChild, insertBefore } = Node.prototype;
  /** By text node, what shows its translation. */
  const translations = new WeakMap<Node, HTMLElement>();

  const observer = new MutationObserver((changes) => {
    for (const { type, target, removedNodes, addedNodes, previousSibling, nextSibling } of changes) {
      if (type === 'characterData') {
        // React changed a text that is translated: the new one is shown, and the browser translates it again.
        if (!target.isConnected) translations.get(target)?.replaceWith(target);
        continue;
      }
      const font = [...addedNodes, previousSibling, nextSibling].find(isFont);
      for (const text of removedNodes) {
        if (font === undefined || !(text instanceof Text)) continue;
        translations.set(text, font);
        observer.observe(text, { characterData: true });
      }
    }
  });
  observer.observe(page, { childList: true, subtree: true });

  /** What stands for a node among the children of its parent. */
  const inPage = (node: Node, parent: Node): Node | null => {
    let found: Node | null | undefined = node.isConnected ? node : translations.get(node);
    while (found && found.parentNode !== parent) found = found.parentNode;
    return found ?? null;
  };
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    const shown = inPage(child, this);
    if (shown) removeChild.call(this, shown);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, child: T, next: Node | null): T {
    const before = next === null || next.parentNode === this ? next : inPage(next, this);
    return insertBefore.call(this, child, before) as T;
  };

  return () => {
    observer.disconnect();
    Object.assign(Node.prototype, { removeChild, insertBefore });
  };
}

function isFont(node: Node | null): node is HTMLElement {
  return node instanceof HTMLElement && node.localName === 'font';
}
