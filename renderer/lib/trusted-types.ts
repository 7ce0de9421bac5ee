interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/**
 * The page policy starts workers only from an address a named policy vouches for; this one knows
 * exactly one.
 */
export function trustAddress(name: string, address: string): string {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
  return types
    ? types.createPolicy(name, { createScriptURL: () => address }).createScriptURL(address)
    : address
}
