// Runs in the head, before anything is painted, so that a dark page never flashes white. The build puts it
// into every html file as it stands; the gateway allows it by its hash.
(() => {
  let theme = 'light';
  try {
    if (localStorage.getItem('theme') === 'dark') theme = 'dark';
  } catch {
    // Storage is forbidden: the default stands.
  }
  const root = document.documentElement;
  root.classList.toggle('dark', theme === 'dark');
  root.setAttribute('data-bs-theme', theme);
  root.style.colorScheme = theme;
  if (theme === 'light') return;
  // Of the browser's own bars. It comes before the one that the page brings, and the first one counts.
  const bars = document.createElement('meta');
  bars.name = 'theme-color';
  bars.content = '#0f1716';
  document.head.append(bars);
})();
