interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/**
 * Returns a trusted URL for a worker: the page's policy only starts workers from URLs approved by a
 * named policy, and this one approves exactly one.
 */
export function trustAddress(name: string, address: string): string {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
  return types
    ? types.createPolicy(name, { createScriptURL: () => address }).createScriptURL(address)
    : address
}
