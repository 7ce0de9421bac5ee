import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { BodyIntake, USUAL_LIMITS, type BodyAllowance } from './body-allowance.ts'
import type { ServiceError } from '../errors.ts'

const KIBIBYTE = 1024
/** Each of two addresses may hold 64 KiB of a mebibyte. */
const LIMITS = { ...USUAL_LIMITS, accountBytes: 64 * KIBIBYTE, anonymousBytes: KIBIBYTE * KIBIBYTE }
const SHARE = 64

interface Body {
  readonly allowance: BodyAllowance
  readonly refusals: ServiceError[]
}

function createIntake() {
  const addresses = new Map<IncomingMessage, string>()
  const intake = new BodyIntake(
    () => LIMITS,
    (request) => addresses.get(request)!,
  )
  /** A body being received, of which so many KiB have arrived. */
  return (
    kibibytes: number,
    { user = null, address = 'one' }: { user?: string | null; address?: string } = {},
  ): Body => {
    const request = new IncomingMessage(new Socket())
    addresses.set(request, address)
    const allowance = intake.open(user, request)
    const refusals: ServiceError[] = []
    allowance.reading((refusal) => refusals.push(refusal))
    allowance.hold(kibibytes * KIBIBYTE, 0)
    return { allowance, refusals }
  }
}

const isRefused = ({ refusals }: Body): boolean => refusals.length > 0

describe('Bodies of callers without an account that are still coming', () => {
  test('give way to one that began later, the oldest first and no more than are needed', () => {
    const begin = createIntake()
    const held = Array.from({ length: 4 }, () => begin(SHARE / 4))
    begin(SHARE / 4 + 1)
    expect(held.map(isRefused)).toEqual([true, true, false, false])
    expect(held[0]!.refusals).toMatchObject([
      { status: 429, message: expect.stringContaining('REQUEST_MEMORY_ANONYMOUS') as string },
    ])
    begin(SHARE / 4 - 1)
    expect(held.map(isRefused)).toEqual([true, true, false, false])
  })

  test('give way to none that began before them', () => {
    const begin = createIntake()
    const oldest = begin(SHARE / 2)
    const newest = begin(SHARE / 2)
    expect(() => oldest.allowance.hold((SHARE / 2 + 1) * KIBIBYTE, 0)).toThrow(
      /hold more than 64 KiB/,
    )
    expect(isRefused(newest)).toBe(false)
    expect(() => newest.allowance.hold(SHARE * KIBIBYTE, 0)).not.toThrow()
    expect(() => oldest.allowance.hold(KIBIBYTE, 0)).toThrow(/hold more than 64 KiB/)
  })

  test('give way no more once they have come, until their call has ended', () => {
    const begin = createIntake()
    const held = begin(SHARE)
    held.allowance.hasCome()
    expect(() => begin(1)).toThrow(/hold more than 64 KiB/)
    expect(isRefused(held)).toBe(false)
    held.allowance.release()
    expect(isRefused(begin(SHARE))).toBe(false)
  })

  test('give way to one of their own address while that has too much, and to any other when all have', () => {
    const begin = createIntake()
    const held = Array.from({ length: 16 }, (_, place) =>
      begin(SHARE, { address: `address ${place}` }),
    )
    begin(SHARE, { address: 'address 7' })
    expect(held.flatMap((body, place) => (isRefused(body) ? [place] : []))).toEqual([7])
    begin(1, { address: 'another' })
    expect(held.flatMap((body, place) => (isRefused(body) ? [place] : []))).toEqual([0, 7])
    expect(held[0]!.refusals).toMatchObject([{ status: 503 }])
  })

  test('give way to what has come of others, not to what those say of their length', () => {
    const begin = createIntake()
    const held = begin(SHARE)
    const other = begin(0)
    other.allowance.check(SHARE * KIBIBYTE)
    expect(isRefused(held)).toBe(false)
    expect(() => other.allowance.check((SHARE + 1) * KIBIBYTE)).toThrow(/hold more than 64 KiB/)
  })
})

test('bodies of an account give way to none', () => {
  const begin = createIntake()
  const held = begin(64, { user: 'u' })
  expect(() => begin(1, { user: 'u' })).toThrow(/REQUEST_MEMORY_PER_ACCOUNT/)
  expect(isRefused(held)).toBe(false)
})

test('Bodies of an account that come side by side are refused as long as they are too much together', () => {
  const begin = createIntake()
  const bodies = Array.from({ length: 8 }, () => begin(SHARE / 8, { user: 'ada' }))
  const isTaken = (body: Body): boolean => {
    try {
      body.allowance.hold((SHARE / 4) * KIBIBYTE, 0)
      return true
    } catch {
      return false
    }
  }
  // Each refused body frees its memory for those still being received.
  expect(bodies.map(isTaken)).toEqual([false, true, false, true, false, true, false, true])
})
