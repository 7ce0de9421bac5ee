import { hash as argon2Hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { HashQueue } from './hash-queue.ts'
import { Passwords, LARGEST_PASSWORD_BYTES, PASSWORD_COST } from './passwords.ts'

/** Counts the expensive jobs. */
function createCountingQueue(): HashQueue & { jobs: () => number } {
  let jobs = 0
  return Object.assign(new HashQueue(), {
    jobs: () => jobs,
    run: <Result>(job: () => Promise<Result>): Promise<Result> => {
      jobs += 1
      return job()
    },
  })
}

describe('passwords', () => {
  it('are hashed with argon2id, 19 MiB and two passes, each with a salt of its own', async () => {
    const passwords = new Passwords()
    const [first, second] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
    expect(await passwords.verify(first, 'secret')).toBe(true)
    expect(await passwords.verify(first, 'Secret')).toBe(false)
  })

  it('count in bytes after normalisation, at most 1,024', async () => {
    const passwords = new Passwords()
    const longest = 'x'.repeat(LARGEST_PASSWORD_BYTES)
    expect(await passwords.verify(await passwords.hash(longest), longest)).toBe(true)
    await expect(passwords.hash(`${longest}x`)).rejects.toMatchObject({ status: 400 })
    await expect(passwords.hash('é'.repeat(513))).rejects.toMatchObject({ status: 400 })
    await expect(passwords.hash(' \t\u00a0')).rejects.toMatchObject({ status: 400 })
  })

  it('row 80: an unknown account costs the same hashing as a known one', async () => {
    const queue = createCountingQueue()
    const passwords = new Passwords(queue)
    const stored = await passwords.hash('secret')
    await passwords.verify(stored, 'wrong')
    expect(queue.jobs()).toBe(2)
    expect(await passwords.verify(null, 'wrong')).toBe(false)
    expect(queue.jobs()).toBe(3)
  })

  it('row 98: what is too long is not hashed at all', async () => {
    const queue = createCountingQueue()
    const passwords = new Passwords(queue)
    expect(await passwords.verify(null, 'x'.repeat(1_000_000))).toBe(false)
    await expect(passwords.hash('x'.repeat(1_000_000))).rejects.toMatchObject({ status: 400 })
    expect(queue.jobs()).toBe(0)
  })

  it('are hashed anew when the parameters have risen', async () => {
    const passwords = new Passwords()
    expect(
      await passwords.needsRehash(
        await argon2Hash('secret', { ...PASSWORD_COST, memoryCost: 8192 }),
      ),
    ).toBe(true)
    expect(
      await passwords.needsRehash(await argon2Hash('secret', { ...PASSWORD_COST, timeCost: 1 })),
    ).toBe(true)
    expect(await passwords.needsRehash(await argon2Hash('secret', PASSWORD_COST))).toBe(false)
  })
})
