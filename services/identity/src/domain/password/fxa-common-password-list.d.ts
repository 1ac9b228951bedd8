/** The package has no types of its own. */
declare module 'fxa-common-password-list' {
  const list: {
    /** Whether the text is one of the 50,000 most common passwords of at least eight characters, in lower case. */
    test(password: string): boolean;
  };
  export default list;
}
