import { expect, test } from 'vitest'
import { findFloorFault } from './electron-floor.ts'

const floor = { oldest: '45.4.1', checked: '2026-11-20' }
const soon = new Date('2026-12-01')

test('an Electron older than the newest patched one is not shipped', () => {
  for (const version of ['44.9.9', '45.3.9', '45.4.0'])
    expect(findFloorFault(version, floor, soon)).toContain('older than 45.4.1')
  for (const version of ['45.4.1', '45.4.2', '45.10.0', '46.0.0'])
    expect(findFloorFault(version, floor, soon)).toBeNull()
})

test('after eight weeks somebody has to look at the releases again', () => {
  expect(findFloorFault('45.4.1', floor, new Date('2027-01-14'))).toBeNull()
  expect(findFloorFault('45.4.1', floor, new Date('2027-01-16'))).toContain('Look again')
})
