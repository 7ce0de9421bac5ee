import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestStorage } from '../../testing/create-test-storage.ts'
import { adoptRootSecret, checkRootSecret } from './check-root-secret.ts'
import { createSecrets } from './secrets.ts'

const PLACE = 'connection|1|key'

describe('secrets', () => {
  it('reads back any text under the same root secret', () => {
    const write = createSecrets('root')
    const read = createSecrets(Buffer.from('root'))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(read.decrypt(PLACE, write.encrypt(PLACE, text))).toBe(text)
      }),
    )
  })

  it('never writes the same ciphertext twice', () => {
    const secrets = createSecrets('root')
    expect(secrets.encrypt(PLACE, 'text')).not.toBe(secrets.encrypt(PLACE, 'text'))
  })

  it('refuses a ciphertext moved to another row or column', () => {
    const secrets = createSecrets('root')
    expect(secrets.decrypt('connection|2|key', secrets.encrypt(PLACE, 'text'))).toBeNull()
  })

  it('refuses a ciphertext with any byte flipped', () => {
    const secrets = createSecrets('root')
    const whole = secrets.encrypt(PLACE, 'text')
    const start = whole.lastIndexOf('.') + 1
    const bytes = Buffer.from(whole.slice(start), 'base64url')
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = Buffer.from(bytes)
      flipped[index]! ^= 1
      expect(
        secrets.decrypt(PLACE, whole.slice(0, start) + flipped.toString('base64url')),
      ).toBeNull()
    }
  })

  it('answers null for text that was never a ciphertext', () => {
    const secrets = createSecrets('root')
    for (const text of [
      '',
      'sk-plain',
      'v1..',
      `v1.${secrets.keyId}.AAAA`,
      `v2.${secrets.keyId}.AAAA`,
    ]) {
      expect(secrets.decrypt(PLACE, text)).toBeNull()
    }
  })

  it('derives the same bytes per purpose and other bytes for another purpose or root', () => {
    expect(createSecrets('root').derive('jwt')).toEqual(createSecrets('root').derive('jwt'))
    expect(createSecrets('root').derive('jwt')).not.toEqual(createSecrets('root').derive('cookie'))
    expect(createSecrets('root').derive('jwt')).not.toEqual(createSecrets('other').derive('jwt'))
  })
})

describe('the root secret check', () => {
  it('tells a new database, the right secret and a different one apart', async () => {
    const storage = createTestStorage()
    expect(await checkRootSecret(storage, createSecrets('first'))).toBe('new')
    expect(await checkRootSecret(storage, createSecrets('first'))).toBe('ok')
    expect(await checkRootSecret(storage, createSecrets('second'))).toBe('different')
    expect(await checkRootSecret(storage, createSecrets('first'))).toBe('ok')
  })

  it('accepts a new secret only when told to', async () => {
    const storage = createTestStorage()
    await checkRootSecret(storage, createSecrets('first'))
    await adoptRootSecret(storage, createSecrets('second'))
    expect(await checkRootSecret(storage, createSecrets('second'))).toBe('ok')
    expect(await checkRootSecret(storage, createSecrets('first'))).toBe('different')
  })
})
