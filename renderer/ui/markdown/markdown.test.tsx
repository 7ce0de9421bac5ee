// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { hostilePayloads } from './hostile-payloads.ts'
import { loadMarkdown, Markdown } from './markdown.tsx'

beforeAll(() => loadMarkdown())
afterEach(cleanup)

const FORBIDDEN = new Set(
  'script style link meta base object embed form img video audio'.split(' '),
)
const ADDRESSES = new Set(
  'href src srcdoc action formaction data xlink:href poster srcset'.split(' '),
)
const OPENABLE = /^(https?:|mailto:)/

/** Icons of the interface are the only drawings in an answer. */
const isForeignDrawing = (name: string, element: Element): boolean =>
  name === 'svg' && !element.getAttribute('class')?.includes('lucide')

const isLinkInFormula = (name: string, element: Element): boolean =>
  name === 'math' && element.hasAttribute('href')

/**
 * Returns everything in a rendered answer that could run, load or navigate where it should not. The
 * elements are visited one by one, because jsdom takes far longer to match selectors.
 */
function findDangers(root: Element): string[] {
  const dangers: string[] = []
  for (const element of root.getElementsByTagName('*')) {
    const tag = element.localName
    if (FORBIDDEN.has(tag) || isForeignDrawing(tag, element) || isLinkInFormula(tag, element))
      dangers.push(element.outerHTML)
    if (tag === 'iframe' && element.getAttribute('sandbox') !== 'allow-scripts')
      dangers.push(`frame ${element.outerHTML}`)
    for (const name of element.getAttributeNames()) {
      const value = element.getAttribute(name) ?? ''
      const isOwnFrame = tag === 'iframe' && name === 'src' && value === '/frames/diagram.html'
      if (
        name.startsWith('on') ||
        name === 'srcdoc' ||
        (ADDRESSES.has(name) && !isOwnFrame && !OPENABLE.test(value)) ||
        (name === 'style' && /url\(/i.test(value))
      )
        dangers.push(`${name}=${value}`)
    }
  }
  return dangers
}

const draw = (text: string, isGrowing = false): HTMLElement =>
  render(<Markdown text={text} isGrowing={isGrowing} />).container

describe('rows 22, 26, 29, 38: nothing in an answer runs, loads or hides where it leads', () => {
  it('has more than 300 payloads to try', () => {
    expect(hostilePayloads.length).toBeGreaterThanOrEqual(300)
  })

  it('whole', () => {
    for (const payload of hostilePayloads) {
      expect(findDangers(draw(payload)), payload).toEqual([])
      cleanup()
    }
  })

  it('in the middle of a text', () => {
    for (const payload of hostilePayloads) {
      expect(
        findDangers(draw(`Before ${payload} after\n\n- ${payload}\n\n> ${payload}`)),
        payload,
      ).toEqual([])
      cleanup()
    }
  })

  it('while it streams, cut at every place', () => {
    for (const [index, payload] of hostilePayloads.entries()) {
      // Payloads of one family differ little: every fourth is cut at every position, the others at
      // every third.
      const step = index % 4 === 0 ? 1 : 3
      const { container, rerender } = render(<Markdown text="" isGrowing />)
      for (let length = 1; length <= payload.length; length += step) {
        rerender(<Markdown text={payload.slice(0, length)} isGrowing />)
        expect(findDangers(container), payload.slice(0, length)).toEqual([])
      }
      rerender(<Markdown text={payload} />)
      expect(findDangers(container), payload).toEqual([])
      cleanup()
    }
  }, 120_000)
})

describe('row 38: pictures from elsewhere', () => {
  it('are only offered as a link that names the host', () => {
    draw('![chart](https://tracker.example.net/pixel.png?q=secret)')
    expect(screen.getByRole('link', { name: 'chart, image at tracker.example.net' })).toBeTruthy()
    expect(document.querySelector('img')).toBeNull()
  })

  it('are shown by a click, fetched by the gateway', async () => {
    const asked = vi.fn<typeof fetch>(() =>
      Promise.resolve(new Response(new Blob(['x'], { type: 'image/png' }))),
    )
    vi.stubGlobal('fetch', asked)
    Object.assign(URL, { createObjectURL: () => 'blob:shown', revokeObjectURL: () => undefined })
    draw('![chart](https://tracker.example.net/pixel.png?q=secret)')
    expect(asked).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: 'Show image' }))
    expect((await screen.findByRole('img', { name: 'chart' })).getAttribute('src')).toBe(
      'blob:shown',
    )
    expect(asked.mock.calls[0]?.[0]).toEqual(expect.stringContaining('/api/v1/images/show'))
    vi.unstubAllGlobals()
  })
})

describe('pictures that come with the text', () => {
  const PIXEL =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

  it('are shown at once', () => {
    draw(`![a dot](data:image/png;base64,${PIXEL})`)
    expect(screen.getByRole('img', { name: 'a dot' }).getAttribute('src')).toContain(PIXEL)
  })

  it('are not when they are more than pictures', () => {
    draw('![x](data:image/svg+xml;base64,PHN2Zz4=) ![y](data:text/html;base64,PHN2Zz4=)')
    expect(document.querySelector('img')).toBeNull()
  })
})

describe('an answer', () => {
  it('shows HTML as text', () => {
    expect(draw('Say <b>bold</b> and\n\n<div>block</div>').textContent).toContain('<b>bold</b>')
    expect(screen.getByRole('figure', { name: 'Code, html' }).textContent).toContain(
      '<div>block</div>',
    )
  })

  it('lets entries of lists, quotes and tables begin on the side of their own language', () => {
    const answer = draw('Words\n\n- أول\n- second\n\n> اقتباس\n\n| أ |\n| - |\n| ب |')
    const sides = [...answer.querySelectorAll('li, blockquote, .table-figure')].map((element) =>
      element.getAttribute('dir'),
    )
    expect(sides).toEqual(['auto', 'auto', 'auto', 'auto'])
  })

  it('breaks lines at <br>', () => {
    expect(draw('| a |\n| - |\n| one<br>two |').querySelector('td br')).toBeTruthy()
  })

  it('closes unfinished marks while it grows', () => {
    expect(
      draw('This is **bol', true).querySelector('strong, [data-streamdown="strong"]')?.textContent,
    ).toBe('bol')
  })

  it('shows code with its language while the fence is still open', () => {
    draw('Look:\n\n```python\nprint(1)', true)
    expect(screen.getByRole('figure', { name: 'Code, python' }).textContent).toContain('print(1)')
  })

  it('leaves finished blocks untouched while the last one grows', () => {
    const { container, rerender } = render(<Markdown text={'First paragraph.\n\nSec'} isGrowing />)
    const first = container.querySelector('p')
    rerender(<Markdown text={'First paragraph.\n\nSecond, and more'} isGrowing />)
    expect(container.querySelector('p')).toBe(first)
    expect(container.textContent).toBe('First paragraph.Second, and more')
  })

  it('opens links outside, without a way back into the page', () => {
    draw('[notes](https://example.org/notes)')
    const link = screen.getByRole('link', { name: 'notes' })
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')).toContain('noopener')
  })

  it('puts tables in a box that scrolls by itself', () => {
    draw('| a | b |\n| - | - |\n| 1 | 2 |')
    expect(screen.getByRole('figure', { name: 'Table' }).querySelectorAll('td')).toHaveLength(2)
  })

  it('draws formulas and leaves money alone', async () => {
    const container = draw('A root $\\sqrt{2}$ costs $5 or $10.')
    await act(async () => void (await import('katex')))
    await expect.poll(() => container.querySelectorAll('.katex').length).toBe(1)
    expect(container.textContent).toContain('costs $5 or $10.')
  })

  it('draws a diagram only when its block is complete', () => {
    const { container, rerender } = render(
      <Markdown text={'```mermaid\nflowchart LR\n  A-->B'} isGrowing />,
    )
    expect(container.querySelector('iframe')).toBeNull()
    rerender(<Markdown text={'```mermaid\nflowchart LR\n  A-->B\n```'} isGrowing />)
    expect(container.querySelector('iframe')?.getAttribute('sandbox')).toBe('allow-scripts')
  })

  it('takes no message for a diagram from another window', () => {
    const { container } = render(<Markdown text={'```mermaid\nflowchart LR\n  A-->B\n```'} />)
    act(
      () =>
        void window.dispatchEvent(
          new MessageEvent('message', { data: { type: 'drawn', height: 500 }, source: window }),
        ),
    )
    expect(container.querySelector('figure[data-drawn]')).toBeNull()
  })
})
