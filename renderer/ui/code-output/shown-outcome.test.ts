import { describe, expect, it } from 'vitest'
import { CODE_SENTENCES } from '#contract/code.ts'
import { translate } from '../../lib/i18n.ts'
import { linesAround } from './error-view.tsx'
import { readOutcome } from './shown-outcome.ts'
import './strings.ts'

describe('what is stored of a run', () => {
  it('is shown as it is', () => {
    const error = { name: 'ValueError', message: 'no', line: 2, traceback: 'Traceback …' }
    const stored = {
      status: 'error',
      stdout: 'a',
      stderr: 'b',
      result: '4',
      html: '<table>',
      pictures: ['/api/v1/files/f-1/content', 'data:image/png;base64,AA=='],
      error,
      files: [{ id: 'f1', name: 'out.csv', size: 3 }],
      seconds: 1.5,
    }
    expect(readOutcome(stored)).toEqual({
      ...stored,
      files: [{ id: 'f1', name: 'out.csv', size: 3, bytes: null }],
      tooLarge: [],
      reason: '',
    })
  })

  it('of a plugin is read from its three words', () => {
    expect(readOutcome({ output: '42\n' })).toMatchObject({
      status: 'ok',
      stdout: '42\n',
      error: null,
    })
    expect(readOutcome({ error: 'It broke.' })).toMatchObject({
      status: 'error',
      error: { name: '', message: 'It broke.', line: null },
    })
  })

  it('leads nowhere else by its pictures and files', () => {
    const pictures = [
      'https://elsewhere.example/a.png',
      '/api/v1/auths/signout',
      'data:text/html,x',
      '//x',
      'javascript:1',
      7,
    ]
    expect(
      readOutcome({ pictures, files: [{ name: 'x' }, { id: 1, name: 'y' }, null] }),
    ).toMatchObject({ pictures: [], files: [] })
    for (const value of [
      null,
      7,
      'text',
      [],
      { status: 'dancing', stdout: 4, html: {}, error: { name: 4 } },
    ])
      expect(readOutcome(value)).toMatchObject({
        status: 'ok',
        stdout: '',
        html: null,
        error: null,
      })
  })
})

it('a run that was ended has the words of the gateway', () => {
  expect([
    translate('code.broken.stopped'),
    translate('code.broken.memory'),
    translate('code.broken.timeout', { seconds: 60 }),
  ]).toEqual([CODE_SENTENCES.stopped, CODE_SENTENCES.memory, CODE_SENTENCES.timeout(60)])
})

describe('the line of an error', () => {
  it('comes with those around it', () => {
    expect(
      linesAround('a\nb\nc\nd\ne\nf', 3).map(({ number, text }) => `${number}${text}`),
    ).toEqual(['1a', '2b', '3c', '4d', '5e'])
    expect(linesAround('a\nb', 1).map(({ number }) => number)).toEqual([1, 2])
  })

  it('is none where it lies elsewhere', () => {
    expect([linesAround('a', null), linesAround('a', 9), linesAround('a', 0)]).toEqual([[], [], []])
  })
})
