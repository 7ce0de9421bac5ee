import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encryption of stored secrets: AES-256-GCM with keys derived per purpose from the root secret.
 * `place` (`table|row|column`) is authenticated, so a ciphertext moved elsewhere is refused.
 */
export interface Secrets {
  /** Identifies the root secret without revealing it; part of every ciphertext. */
  readonly keyId: string
  encrypt(place: string, text: string): string
  /** Returns null if the text was written under another root secret or was tampered with. */
  decrypt(place: string, ciphertext: string): string | null
  /** Returns 32 bytes for one purpose, e.g. `jwt`; the same root gives the same bytes. */
  derive(purpose: string): Buffer
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** Ciphertexts have the form `v1.<key id>.<base64url of nonce, tag and body>`. */
const CIPHERTEXT = /^v1\.([0-9a-f]{16})\.([\w-]+)$/

/** Creates the encryption of one root secret. */
export function createSecrets(rootSecret: Buffer | string): Secrets {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', rootSecret, '', `chat-gateway/${VERSION}/${purpose}`, KEY_BYTES))
  const key = derive('encryption')
  const keyId = derive('key-id').toString('hex', 0, 8)
  const authenticated = (place: string): Buffer => Buffer.from(`${VERSION}|${keyId}|${place}`)

  return {
    keyId,
    derive,
    encrypt(place, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    decrypt(place, ciphertext) {
      const [, writtenUnder, encoded] = CIPHERTEXT.exec(ciphertext) ?? []
      if (writtenUnder !== keyId || encoded === undefined) return null
      const bytes = Buffer.from(encoded, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher
        .setAAD(authenticated(place))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/**
 * Returns the secrets for data that may have a separate root secret. Data written earlier under the
 * common one can still be read; without a separate one the common secrets are used.
 */
export function createOwnSecrets(common: Secrets, ownRoot: string): Secrets {
  if (ownRoot === '') return common
  const own = createSecrets(ownRoot)
  return {
    ...own,
    decrypt: (place, ciphertext) =>
      own.decrypt(place, ciphertext) ?? common.decrypt(place, ciphertext),
  }
}
