import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { BUILT_IN_ENGINE_ID, createBuiltInEngine, lexiconFile } from './index.ts'
import { LANGUAGES } from './languages.ts'

const engine = createBuiltInEngine()
afterAll(() => engine.close())

const never = new AbortController().signal
const embed = (...texts: string[]) => engine.embed(texts, 'passage', never)

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0)
}

/** A question, a passage that answers it in other words, and an unrelated passage. */
const KINSHIP: Record<string, [question: string, related: string, unrelated: string]> = {
  en: [
    'Who repairs a leaking tap?',
    'The plumber mends dripping faucets and pipes.',
    'The museum shows paintings from two centuries.',
  ],
  de: [
    'Wer repariert den Wasserhahn?',
    'Undichte Rohre behebt der Hausmeister unentgeltlich.',
    'Das Museum zeigt Gemälde aus zwei Jahrhunderten.',
  ],
  fr: [
    'Qui répare le robinet ?',
    'Les fuites de la tuyauterie sont dépannées par le gardien.',
    'Le musée expose des tableaux de deux siècles.',
  ],
  es: [
    '¿Quién arregla el grifo?',
    'Las tuberías con fugas las repara el administrador de fincas.',
    'El museo expone cuadros de dos siglos.',
  ],
  ru: [
    'Кто починит кран?',
    'Протечку трубы устраняет мастер, ремонт бесплатный.',
    'В музее выставлены картины двух столетий.',
  ],
  zh: ['谁来修水龙头？', '管道漏水由物业负责维修。', '博物馆展出两个世纪的绘画。'],
}

describe('the built-in engine', () => {
  it('gives every text a vector of unit length, in order, and the same one each time', async () => {
    const texts = [
      'First text',
      'Second text, longer than the first',
      'Третий текст',
      '第四',
      '第四',
    ]
    const [once, again] = [await embed(...texts), await embed(...texts)]
    expect(once).toEqual(again)
    expect(once[3]).toEqual(once[4])
    for (const vector of once) {
      expect(vector).toHaveLength(engine.dimensions!)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    }
    expect(cosine(once[1]!, (await embed(texts[1]!))[0]!)).toBeCloseTo(1, 5)
  })

  it.each(Object.entries(KINSHIP))(
    'finds related texts nearer than unrelated ones (%s)',
    async (_language, [question, related, unrelated]) => {
      const [asked, near, far] = await embed(question, related, unrelated)
      expect(cosine(asked!, near!)).toBeGreaterThan(cosine(asked!, far!) + 0.05)
    },
  )

  it('finds an answer in any of its languages', async () => {
    const related = LANGUAGES.map((language) => KINSHIP[language]![1])
    const unrelated = LANGUAGES.map((language) => KINSHIP[language]![2])
    for (const language of LANGUAGES) {
      const [asked, ...others] = await embed(KINSHIP[language]![0], ...related, ...unrelated)
      const scores = others.map((vector) => cosine(asked!, vector))
      const worst = Math.max(...scores.slice(related.length))
      expect(
        scores.slice(0, related.length).filter((score) => score > worst).length,
      ).toBeGreaterThanOrEqual(5)
    }
  })

  it('tells inflected forms, compounds, accents and scripts of a name together', async () => {
    for (const [one, other] of [
      ['Kündigungsfrist', 'Fristen für die Kündigung'],
      ['cancelled contracts', 'contract cancellation'],
      ['GRÖSSE', 'größe'],
      ['Petrov', 'Петров'],
      ['maximumRetryCount', 'maximum retry count'],
    ] as const) {
      const [first, second, stranger] = await embed(one, other, 'a volcano under the clouds')
      expect(cosine(first!, second!)).toBeGreaterThan(0.4)
      expect(cosine(first!, stranger!)).toBeLessThan(0.2)
    }
  })

  it('takes any text: empty, white, signs, emoji, lone surrogates, control characters, other scripts', async () => {
    const odd = [
      '',
      ' \n\t',
      '!?…—',
      '🙂👩‍👩‍👧‍👦',
      '\ud800',
      '\u0000\u0007',
      'สวัสดี',
      'مرحبا بالعالم',
      '한국어 문장',
      'ｆｕｌｌ　ｗｉｄｔｈ',
      '1',
      'constructor __proto__',
    ]
    for (const vector of await embed(...odd)) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  })

  it('takes a million letters without a space and a very long text', async () => {
    const [data, long] = await embed('x'.repeat(1_000_000), 'The tap leaks. '.repeat(60_000))
    expect(Math.hypot(...data!)).toBeCloseTo(1, 5)
    expect(cosine(long!, (await embed('The tap leaks.'))[0]!)).toBeGreaterThan(0.8)
  })

  it('answers nothing for nothing', async () => {
    expect(await embed()).toEqual([])
  })

  it('stops between batches with the reason of the signal', async () => {
    const stopping = new AbortController()
    const reason = new Error('enough')
    const running = engine.embed(
      Array.from({ length: 5000 }, (_, index) => `Text ${index}`),
      'passage',
      stopping.signal,
    )
    stopping.abort(reason)
    await expect(running).rejects.toBe(reason)
  })

  it('serves calls at the same time and again after it was closed', async () => {
    const other = createBuiltInEngine()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => other.embed([`text ${index}`], 'query', never)),
    )
    const closing = other.close()
    expect((await other.embed(['text 3'], 'query', never))[0]).toEqual(answers[3]![0])
    await closing
    await other.close()
  })

  it('has another id when texts get other vectors', async () => {
    const hash = createHash('sha256')
    for (const vector of await embed(...Object.values(KINSHIP).flat()))
      hash.update(vector.map((value) => Math.round(value * 1000)))
    hash.update(readFileSync(lexiconFile()))
    expect(`${BUILT_IN_ENGINE_ID} ${hash.digest('hex').slice(0, 8)}`).toBe('built-in-1 f90dd64f')
  })
})

describe('the lexicon', () => {
  const lines = readFileSync(lexiconFile(), 'utf8').split('\n')
  const meanings = lines.filter((line) => line.includes('|') && !line.startsWith('#'))

  it('has a column for every language and no empty word', () => {
    for (const line of meanings) {
      expect(line.split('|'), line).toHaveLength(LANGUAGES.length)
      for (const word of line.split(/[|,]/u)) expect(word.trim(), line).not.toBe('')
    }
  })

  it('groups only words it has', () => {
    const english = new Set(
      meanings.flatMap((line) =>
        line
          .split('|')[0]!
          .split(',')
          .map((word) => word.trim().toLowerCase()),
      ),
    )
    for (const line of lines.filter((each) => each.startsWith('~')))
      for (const word of line.slice(1).split(','))
        expect(english, line).toContain(word.trim().toLowerCase())
  })
})
