import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { Chat, ChatListItem } from '#contract/chats.ts'
import { call, callRaw, endpoints } from '../../api/client.ts'
import { downloadText, toFileName } from '../../lib/download.ts'
import { formatDay } from '../../lib/format-time.ts'
import { translate } from '../../lib/i18n.ts'
import paletteStyle from '../../ui/palette.css?inline'
import codeStyle from '../../ui/markdown/code-block.css?inline'
import markdownStyle from '../../ui/markdown/markdown.css?inline'
import { loadStaticMarkdown, StaticMarkdown } from '../../ui/markdown/static-markdown.tsx'
import { readTranscript } from '../../ui/transcript/read-transcript.ts'
import transcriptStyle from '../../ui/transcript/transcript.css?inline'
import { Transcript } from '../../ui/transcript/transcript.tsx'
import pageStyle from './export-page.css?inline'
import './print-sheet.css'

type Format = 'markdown' | 'page' | 'json'

/** An exported file may not load or execute anything, regardless of the chat's contents. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'"

const readChat = (chatId: string): Promise<Chat> =>
  call(endpoints.chats.get, { params: { chat_id: chatId } })

/** Returns the date of a chat and its models. */
function toNote(chat: Chat, authors: readonly string[]): string {
  const day = formatDay(chat.created_at)
  const models = [...new Set(authors.filter(Boolean))]
  return models.length === 0 ? day : `${day} · ${models.join(', ')}`
}

const Sheets = ({ chats }: { chats: readonly Chat[] }) =>
  chats.map((chat) => {
    const messages = readTranscript(chat)
    return (
      <Transcript
        key={chat.id}
        title={chat.title}
        note={toNote(
          chat,
          messages.map(({ author }) => author),
        )}
        messages={messages}
        person={translate('chats.transcript.person')}
        draw={(text) => <StaticMarkdown text={text} />}
      />
    )
  })

/** Renders chats into an element synchronously; resolves with the function that removes them. */
async function drawInto(place: HTMLElement, chats: readonly Chat[]): Promise<() => void> {
  await loadStaticMarkdown()
  const root = createRoot(place)
  flushSync(() => root.render(<Sheets chats={chats} />))
  return () => root.unmount()
}

/** Resolves with a self-contained HTML file: text and styles, without external resources. */
async function toPage(chats: readonly Chat[], title: string): Promise<string> {
  const page = document.implementation.createHTMLDocument()
  page.documentElement.lang = document.documentElement.lang
  const addMeta = (attributes: Record<string, string>): void => {
    const element = page.createElement('meta')
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    page.head.append(element)
  }
  addMeta({ charset: 'utf-8' })
  addMeta({ 'http-equiv': 'Content-Security-Policy', content: POLICY })
  addMeta({ name: 'viewport', content: 'width=device-width, initial-scale=1' })
  page.title = title
  const place = document.createElement('main')
  const clear = await drawInto(place, chats)
  page.body.append(page.importNode(place, true))
  clear()
  // Inserted as text: this window's policy also applies to documents it creates, and would block
  // their styles.
  const style = `<style>${[paletteStyle, pageStyle, markdownStyle, codeStyle, transcriptStyle].join('\n')}</style>`
  return `<!doctype html>\n${page.documentElement.outerHTML.replace('</head>', () => `${style}</head>`)}\n`
}

async function readText(chatId: string, format: 'json' | 'md'): Promise<string> {
  const response = await callRaw(endpoints.chats.exportOne, {
    params: { chat_id: chatId },
    query: { format },
  })
  return response.text()
}

/** Loads the chats sequentially, so that many long ones are not in memory twice. */
async function readAll<Item>(
  chats: readonly ChatListItem[],
  read: (chatId: string) => Promise<Item>,
): Promise<Item[]> {
  const found: Item[] = []
  for (const chat of chats) found.push(await read(chat.id))
  return found
}

/** Saves chats in one file. */
export async function exportChats(chats: readonly ChatListItem[], format: Format): Promise<void> {
  const title =
    chats.length === 1
      ? chats[0]?.title || translate('chats.untitled')
      : translate('chats.countOf', { count: chats.length })
  if (format === 'page') {
    const page = await toPage(await readAll(chats, readChat), title)
    downloadText(toFileName(title, 'html'), page, 'text/html')
  } else if (format === 'markdown') {
    const texts = await readAll(chats, (id) => readText(id, 'md'))
    downloadText(
      toFileName(title, 'md'),
      texts.map((text) => text.trimEnd()).join('\n\n---\n\n'),
      'text/markdown',
    )
  } else {
    const texts = await readAll(chats, (id) => readText(id, 'json'))
    downloadText(
      toFileName(title, 'json'),
      texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(',\n')}]`,
      'application/json',
    )
  }
}

/** Renders a chat for printing and opens the system's print dialog, which can also create a PDF. */
export async function printChat(chatId: string): Promise<void> {
  const chat = await readChat(chatId)
  const place = document.createElement('div')
  place.className = 'print-sheet'
  document.body.append(place)
  const clear = await drawInto(place, [chat])
  const title = document.title
  document.title = chat.title || translate('chats.untitled')
  const end = (): void => {
    document.title = title
    clear()
    place.remove()
  }
  window.addEventListener('afterprint', end, { once: true })
  window.print()
}
