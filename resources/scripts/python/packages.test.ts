import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BASE_PACKAGES } from '../../../server/settings/base-packages.ts'
import { lockFile } from './install-base.ts'
import { TARGETS } from './targets.ts'

/** Names are equal regardless of -, _ and . */
const nameOf = (requirement: string): string =>
  /^[\w.-]+/
    .exec(requirement)![0]
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-')

describe.each(TARGETS)('The packages for $platform $arch', (target) => {
  const pins = readFileSync(lockFile(target), 'utf8').replaceAll(' \\\n', '').trim().split('\n')

  test('are all there', () => {
    const names = new Set(pins.map(nameOf))
    expect(BASE_PACKAGES.filter((each) => !names.has(nameOf(each)))).toEqual([])
  })

  test('are pinned to one version with the hashes of its wheels', () => {
    expect(
      pins.filter((pin) => !/^[a-z0-9-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+$/.test(pin)),
    ).toEqual([])
    expect(new Set(pins.map(nameOf)).size).toBe(pins.length)
  })
})
