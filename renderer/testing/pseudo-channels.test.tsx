// @vitest-environment jsdom
import './browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChannelPlace } from '../app/channels/channel-place.tsx'
import { channelsStore } from '../app/channels/channel-stores.ts'
import { ChannelsSection, FoundInChannels } from '../app/channels/channels-section.tsx'
import { sessionStore } from '../app/stores.ts'
import { setLanguage } from '../lib/i18n.ts'
import { loadMarkdown } from '../ui/markdown/markdown.tsx'
import { TooltipProvider } from '../ui/floating/tooltip.tsx'
import { answers, config } from './answers-without-letters.ts'
import { user } from './people-samples.ts'
import { sampleListed, sampleMessage } from './channel-samples.ts'
import { fakeGateway } from './fake-gateway.ts'
import { plainEnglish } from './plain-english.ts'

const PLACE = '/api/v1/channels/c1'
const now = Date.now() * 1_000_000
const hook = {
  id: 'w',
  name: '',
  role: 'webhook' as const,
  profile_image_url: '',
  is_deleted: true as const,
}
const rows = [
  sampleMessage('1', {
    content: '11',
    created_at: now,
    reactions: [{ name: '👍', users: [{ id: '1', name: '12' }], count: 1 }],
    reply_count: 2,
    latest_reply_at: null,
    is_pinned: true,
    edited_at: now,
  }),
  sampleMessage('2', { content: '22', created_at: now, user: null, user_id: '9' }),
  sampleMessage('3', { content: '33', created_at: now, user: hook, reply_to_id: '0' }),
  sampleMessage('4', {
    content: '44',
    created_at: now,
    meta: { model_id: '5', model_name: '5', done: false },
  }),
  sampleMessage('5', {
    content: '',
    created_at: now,
    meta: { model_id: '6', done: true, error: { content: '' } },
  }),
]
const listed = rows.map((row) => ({ ...row, data: false }))
const channel = sampleListed({ id: 'c1', unread_count: 3, mention_count: 1, description: '1' })
const open = { ...channel, user_count: 2, first_unread_id: '2', unread_count: 0 }
const member = {
  id: '2',
  name: '2',
  profile_image_url: '',
  is_active: true,
  status_emoji: null,
  status_message: null,
  status_expires_at: null,
  email: '2',
  role: '',
  bio: null,
  is_manager: true,
}
const webhook = {
  id: 'w',
  channel_id: 'c1',
  user_id: '1',
  name: '7',
  profile_image_url: null,
  token: '8',
  last_used_at: null,
}

const show = (children: ReactNode) => render(<TooltipProvider>{children}</TooltipProvider>)
const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

/** The date of a message is formatted by the platform. */
const withoutDates = (texts: string[]): string[] => {
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(new Date())
  return texts.filter((text) =>
    /[A-Za-z]{2,}/.test(
      text
        .replaceAll(day, '')
        .replaceAll(/\d+:\d\d\s[AP]M/g, '')
        .replaceAll(/https?:\S+/g, ''),
    ),
  )
}

beforeEach(async () => {
  fakeGateway({
    ...answers,
    [`GET ${PLACE}`]: open,
    [`GET ${PLACE}/messages`]: listed.toReversed(),
    [`GET ${PLACE}/messages/pinned`]: listed.slice(0, 1),
    [`GET ${PLACE}/messages/1`]: rows[0],
    [`GET ${PLACE}/messages/1/thread`]: [],
    [`GET ${PLACE}/members`]: { users: [member], total: 1 },
    [`GET ${PLACE}/webhooks`]: [webhook],
    [`POST ${PLACE}/read`]: { last_read_at: 1, unread_count: 0, mention_count: 0 },
    'GET /api/v1/channels/search': {
      items: [{ ...listed[0], snippet: '1', channel: { id: 'c1', name: '1', type: 'group' } }],
    },
  })
  await loadMarkdown()
  await setLanguage('en-XA')
  sessionStore.setState({ status: 'signed-in', user, config, problem: null })
  channelsStore.setState({
    channels: [channel, sampleListed({ id: 'c2', type: 'dm', name: '', users: [] })],
    status: 'ready',
  })
})
afterEach(async () => {
  cleanup()
  await setLanguage('en')
  vi.unstubAllGlobals()
})

test('every visible string of the list of channels comes from the locale files', async () => {
  show(
    <>
      <ChannelsSection onLoaded={() => {}} />
      <FoundInChannels text="1" />
    </>,
  )
  await screen.findByRole('link', { name: /1.*1/ }).catch(() => undefined)
  await vi.waitFor(() => expect(screen.getAllByRole('link').length).toBeGreaterThan(2))
  expect(withoutDates(plainEnglish())).toEqual([])
  cleanup()
  channelsStore.setState({ status: 'failed', problem: '1', channels: [] })
  show(<ChannelsSection onLoaded={() => {}} />)
  expect(plainEnglish()).toEqual([])
})

test('every visible string of a channel comes from the locale files', async () => {
  show(<ChannelPlace channelId="c1" messageId={null} threadId="1" />)
  await vi.waitFor(() => expect(screen.getAllByRole('article').length).toBeGreaterThan(5))
  for (const article of screen.getAllByRole('article')) fireEvent.pointerEnter(article)
  await settle()
  expect(screen.getAllByRole('complementary')).toHaveLength(1)
  expect(withoutDates(plainEnglish())).toEqual([])
})

test('every visible string of the dialogs of a channel comes from the locale files', async () => {
  for (const index of [0, 1, 2, 3, 4]) {
    show(<ChannelPlace channelId="c1" messageId={null} threadId={null} />)
    const heading = await screen.findByRole('heading', { level: 1 })
    fireEvent.keyDown(heading.querySelector('button')!, { key: 'Enter' })
    const items = await screen.findAllByRole('menuitem')
    expect(plainEnglish().filter((text) => withoutDates([text]).length > 0)).toEqual([])
    fireEvent.click(items[index]!)
    await screen.findByRole('dialog')
    await vi.waitFor(() =>
      expect(document.querySelector('[role="dialog"] .animate-spin')).toBeNull(),
    )
    expect(withoutDates(plainEnglish())).toEqual([])
    cleanup()
  }
})

test('every visible string of a channel that is closed comes from the locale files', async () => {
  fakeGateway(answers)
  show(<ChannelPlace channelId="c9" messageId={null} threadId={null} />)
  await screen.findByRole('alert')
  expect(plainEnglish()).toEqual([])
})
