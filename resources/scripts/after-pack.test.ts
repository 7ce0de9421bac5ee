import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { flipFuses, FuseVersion } from '@electron/fuses'
import { expect, test } from 'vitest'
import { findFuseFaults, FUSES } from './after-pack.ts'

/**
 * The marker in front of the fuses in every Electron binary, followed by version, count and one
 * byte each.
 */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

function writeProgram(fuses: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'fuses-')), 'program')
  const rest = Buffer.alloc(4096, 'x')
  writeFileSync(
    file,
    Buffer.concat([
      rest,
      Buffer.from(SENTINEL),
      Buffer.from([1, fuses.length]),
      Buffer.from(fuses),
      rest,
    ]),
  )
  return file
}

const RIGHT = '01001100'

test('a program with all eight fuses as the checklist demands has no fault', async () => {
  expect(Object.keys(FUSES)).toHaveLength(8)
  expect(await findFuseFaults(writeProgram(RIGHT))).toEqual([])
})

test('row 123, row 124: each single flipped fuse is found and named', async () => {
  for (let index = 0; index < RIGHT.length; index += 1) {
    const flipped =
      RIGHT.slice(0, index) + (RIGHT[index] === '0' ? '1' : '0') + RIGHT.slice(index + 1)
    const faults = await findFuseFaults(writeProgram(flipped))
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(/^fuse \w+ has to be (on|off) and is (on|off)$/)
  }
})

test('a removed fuse, or one this Electron does not have, is a fault', async () => {
  expect(await findFuseFaults(writeProgram('r1001100'))).toEqual([
    'fuse RunAsNode has to be off and is not in this Electron',
  ])
  expect(await findFuseFaults(writeProgram('0100110'))).toHaveLength(1)
})

test('setting the fuses makes an untouched program right', async () => {
  const program = writeProgram('10110011')
  expect(await findFuseFaults(program)).toHaveLength(8)
  await flipFuses(program, { version: FuseVersion.V1, ...FUSES })
  expect(await findFuseFaults(program)).toEqual([])
})
