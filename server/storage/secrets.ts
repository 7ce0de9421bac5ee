/**
 * Encryption of stored secrets (security-reliability §4, encryption at rest): AES-256-GCM under keys derived per
 * purpose from the root secret. `place` (`table|row|column`) is authenticated, so a ciphertext moved elsewhere is refused.
 */
export interface Secrets {
  encrypt(place: string, text: string): string
  /** Null when the text was written under another root secret or was tampered with. */
  decrypt(place: string, ciphertext: string): string | null
  /** 32 bytes for one purpose, e.g. `jwt`; the same root gives the same bytes. */
  derive(purpose: string): Buffer
}
