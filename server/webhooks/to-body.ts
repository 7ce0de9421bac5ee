/** The body a receiver gets, with the sentence chat services show. */
export interface Announcement {
  /** The body for a plain receiver. */
  readonly body: Readonly<Record<string, unknown>>
  /** Text for readers; may contain text from untrusted users. */
  readonly message: string
  /** The name of the event. */
  readonly action: string
}

const LONGEST_DISCORD = 2000
const LONGEST_TEXT = 4000

const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

/**
 * Names and titles are untrusted: nothing in them may notify a whole channel or hide a URL behind
 * link text.
 */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const toSlack = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character]!)
const toGoogleChat = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›')

/** Text that is not a link is shown unchanged. */
const toDiscord = (text: string): string => text.replaceAll('](', ']\\(')

const isHost = (host: string, name: string): boolean => host === name || host.endsWith(`.${name}`)

/**
 * Returns the JSON for a URL: the format of the chat service it belongs to, else the event itself.
 */
export function toBody(
  address: URL,
  { body, message, action }: Announcement,
  gateway: string,
): unknown {
  const host = address.hostname.toLowerCase()
  if (host === 'hooks.slack.com') return { text: toSlack(shorten(message, LONGEST_TEXT)) }
  if (host === 'chat.googleapis.com') return { text: toGoogleChat(shorten(message, LONGEST_TEXT)) }
  if (
    (host === 'discord.com' || host === 'discordapp.com') &&
    address.pathname.startsWith('/api/webhooks')
  )
    return {
      content: shorten(toDiscord(message), LONGEST_DISCORD),
      allowed_mentions: { parse: [] },
    }
  if (isHost(host, 'webhook.office.com'))
    return toCard(body, { message: shorten(message, LONGEST_TEXT), action, gateway })
  return body
}

function toCard(
  body: Announcement['body'],
  { message, action, gateway }: { message: string; action: string; gateway: string },
): unknown {
  const facts = Object.entries(body)
    .filter(([name]) => name !== 'message')
    .map(([name, value]) => ({
      name,
      value: shorten(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_TEXT),
    }))
  return {
    '@type': 'MessageCard',
    '@context': 'http://schema.org/extensions',
    themeColor: '0076D7',
    summary: shorten(message, 200),
    sections: [
      {
        activityTitle: message,
        activitySubtitle: `${gateway} - ${action}`,
        facts,
        markdown: false,
      },
    ],
  }
}
