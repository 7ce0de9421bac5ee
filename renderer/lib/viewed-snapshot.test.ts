import { describe, expect, it } from 'vitest'
import { presentPath, readViewed, snapshotPath, viewedSnapshot } from './viewed-snapshot.ts'

describe('the base path of a page', () => {
  it('says which snapshot is looked at, also below the path of a proxy', () => {
    expect(readViewed('/at/2026-01-02T03-04-05-678Z-hourly')).toEqual({
      base: '',
      id: '2026-01-02T03-04-05-678Z-hourly',
    })
    expect(readViewed('/chat/at/one')).toEqual({ base: '/chat', id: 'one' })
  })

  it('is that of the present otherwise', () => {
    for (const path of ['', '/chat', '/at', '/at/one/more']) {
      expect(readViewed(path)).toEqual({ base: path, id: null })
    }
    expect(viewedSnapshot).toBeNull()
    expect(presentPath('/settings')).toBe('/settings')
    expect(snapshotPath('one', '/c/two')).toBe('/at/one/c/two')
  })
})
