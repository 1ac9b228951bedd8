/** The oldest browsers that run the app: the build, its checks and the page about browsers follow this. iOS brings its Safari. */
export const OLDEST_BROWSERS = {
  safari: '15.4',
  ios: '15.4',
  chrome: '108',
  edge: '108',
  firefox: '115',
} as const;
