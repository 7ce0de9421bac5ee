import { expect, it } from 'vitest'
import { toBody } from './to-body.ts'

const announcement = {
  body: {
    event: 'new_user',
    user: { email: 'e@example.org', name: '<!channel> & @everyone' },
    action: 'signup',
    message: 'm',
  },
  message: 'New user signed up: <!channel> & @everyone',
  action: 'signup',
}
const at = (address: string, given = announcement) =>
  toBody(new URL(address), given, 'Chat Gateway')

it('chat services get the form they show, in which a name of a stranger calls nobody', () => {
  expect(at('https://hooks.slack.com/services/T/B/x')).toEqual({
    text: 'New user signed up: &lt;!channel&gt; &amp; @everyone',
  })
  expect(at('https://chat.googleapis.com/v1/spaces/x/messages')).toEqual({
    text: 'New user signed up: ‹!channel› & @everyone',
  })
  expect(at('https://discord.com/api/webhooks/1/x')).toEqual({
    content: announcement.message,
    allowed_mentions: { parse: [] },
  })
  expect(at('https://team.webhook.office.com/webhookb2/x')).toMatchObject({
    '@type': 'MessageCard',
    sections: [
      {
        activityTitle: announcement.message,
        activitySubtitle: 'Chat Gateway - signup',
        markdown: false,
      },
    ],
  })
})

it('a link of a stranger does not hide behind words', () => {
  const message = 'New user signed up: [Read this](https://evil.example)'
  const given = { ...announcement, message }
  expect(at('https://discord.com/api/webhooks/1/x', given)).toMatchObject({
    content: 'New user signed up: [Read this]\\(https://evil.example)',
  })
  expect(
    at('https://hooks.slack.com/services/T/B/x', {
      ...given,
      message: '<https://evil.example|Read this>',
    }),
  ).toEqual({
    text: '&lt;https://evil.example|Read this&gt;',
  })
})

it('others get the event itself, those with a name inside of theirs among them', () => {
  for (const address of [
    'https://example.org/hooks.slack.com',
    'https://hooks.slack.com.example.org/',
    'https://discord.com/other',
  ])
    expect(at(address)).toBe(announcement.body)
})

it('a long text is cut where the service would refuse it, between two characters', () => {
  const { content } = at('https://discord.com/api/webhooks/1/x', {
    ...announcement,
    message: '🐋'.repeat(2000),
  }) as { content: string }
  expect(content.length).toBeLessThanOrEqual(2000)
  expect(content.isWellFormed()).toBe(true)
})
