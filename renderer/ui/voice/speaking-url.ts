/** Returns the URL of a sound in memory, valid until discarded. */
export function toSpeakingUrl(sound: Blob): { readonly url: string; readonly discard: () => void } {
  const url = URL.createObjectURL(sound)
  return { url, discard: () => URL.revokeObjectURL(url) }
}
