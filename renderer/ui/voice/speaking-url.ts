/** The address of a sound in memory, until it is given back. */
export function toSpeakingUrl(sound: Blob): { readonly url: string; readonly discard: () => void } {
  const url = URL.createObjectURL(sound)
  return { url, discard: () => URL.revokeObjectURL(url) }
}
