// @vitest-environment jsdom
import i18next from 'i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type * as I18n from './i18n.ts'

const fetches = vi.hoisted(() => ({ german: vi.fn(), french: vi.fn() }))
vi.mock('virtual:languages', () => ({ languages: { de: fetches.german, fr: fetches.french } }))

const german = {
  first: { common: { close: 'Schließen' } },
  later: { code: async () => ({ default: { run: 'Ausführen' } }) },
}
let i18n: typeof I18n

beforeEach(async () => {
  vi.resetModules()
  fetches.german.mockReset().mockResolvedValue(german)
  fetches.french.mockReset().mockRejectedValue(new Error('offline'))
  i18n = await import('./i18n.ts')
})
afterEach(async () => i18n.setLanguage('en'))

const say = (key: string) => i18n.translate(key as 'common.close')

it('a language is fetched once it is chosen, and English fills what it lacks', async () => {
  expect(fetches.german).not.toHaveBeenCalled()
  await i18n.setLanguage('de')
  expect([say('common.close'), say('common.save')]).toEqual(['Schließen', 'Save'])
  expect(document.documentElement.lang).toBe('de')
})

it('a part that comes later follows in the chosen language', async () => {
  await i18n.setLanguage('de')
  i18n.addStrings('code', { run: 'Run' } as never)
  expect(say('code.run')).toBe('Run')
  await vi.waitFor(() => expect(say('code.run')).toBe('Ausführen'))
})

it('a part that came before the language follows with it', async () => {
  i18n.addStrings('code', { run: 'Run' } as never)
  expect(say('code.run')).toBe('Run')
  await i18n.setLanguage('de')
  expect(say('code.run')).toBe('Ausführen')
})

it('a language that cannot be fetched leaves the present one, and is asked for anew', async () => {
  await i18n.setLanguage('de')
  await expect(i18n.setLanguage('fr')).rejects.toThrow('offline')
  expect(say('common.close')).toBe('Schließen')
  await expect(i18n.setLanguage('fr')).rejects.toThrow('offline')
  expect(fetches.french).toHaveBeenCalledTimes(2)
})

it('of two switches the last one counts, whichever arrives first', async () => {
  const arriving = Promise.withResolvers<typeof german>()
  fetches.german.mockReturnValue(arriving.promise)
  const slow = i18n.setLanguage('de')
  await i18n.setLanguage('en')
  arriving.resolve(german)
  await slow
  expect(i18next.language).toBe('en')
  expect(say('common.close')).toBe('Close')
})

it('a part is drawn in English where its language cannot be fetched', async () => {
  const code = vi.fn(german.later.code).mockRejectedValueOnce(new Error('offline'))
  fetches.german.mockResolvedValue({ ...german, later: { code } })
  await i18n.setLanguage('de')
  i18n.addStrings('code', { run: 'Run' } as never)
  await vi.waitFor(() => expect(code).toHaveBeenCalled())
  expect(say('code.run')).toBe('Run')
  await i18n.setLanguage('de')
  expect(say('code.run')).toBe('Ausführen')
})

it('the one from right to left turns the document and has the six forms of Arabic', async () => {
  await i18n.setLanguage('ar-XB')
  expect(document.documentElement.dir).toBe('rtl')
  for (const count of [0, 1, 2, 3, 11, 100])
    expect(i18n.translate('chats.selected', { count })).toMatch(/^\u200F[^A-Za-z]*\u200F$/)
})
