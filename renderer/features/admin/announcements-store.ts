import type { Banner, Suggestion } from '#contract/configs.ts'
import { call, endpoints } from '../../api/client.ts'

/** What a person reads while an account waits for approval. */
export interface Waiting {
  readonly title: string
  readonly content: string
}

/** A suggestion as it is typed. */
export interface SuggestionDraft {
  readonly title: string
  readonly subtitle: string
  readonly content: string
}

export interface Announcements {
  readonly banners: readonly Banner[]
  readonly suggestions: readonly SuggestionDraft[]
  readonly waiting: Waiting
}

const toDraft = ({ title: [title = '', subtitle = ''], content }: Suggestion): SuggestionDraft => ({
  title,
  subtitle,
  content,
})

/** A second line only where there is one. */
export const fromDraft = ({ title, subtitle, content }: SuggestionDraft): Suggestion => ({
  title: subtitle.trim() ? [title.trim(), subtitle.trim()] : [title.trim()],
  content: content.trim(),
})

export async function loadAnnouncements(): Promise<Announcements> {
  const [banners, config, admin] = await Promise.all([
    call(endpoints.configs.banners, {}),
    call(endpoints.system.config, {}),
    call(endpoints.auths.adminConfig, {}),
  ])
  return {
    banners,
    suggestions: (config.default_prompt_suggestions ?? []).map(toDraft),
    waiting: {
      title: admin.PENDING_USER_OVERLAY_TITLE ?? '',
      content: admin.PENDING_USER_OVERLAY_CONTENT ?? '',
    },
  }
}

/**
 * Stores the banners. One that was changed gets a new time, so that who put it away sees it again.
 */
export function saveBanners(
  before: readonly Banner[],
  banners: readonly Banner[],
  now = Math.floor(Date.now() / 1000),
): Promise<Banner[]> {
  const known = new Map(before.map((banner) => [banner.id, JSON.stringify(banner)]))
  const stamped = banners.map((banner) =>
    known.get(banner.id) === JSON.stringify(banner) ? banner : { ...banner, timestamp: now },
  )
  return call(endpoints.configs.updateBanners, { body: { banners: stamped } })
}

export const saveSuggestions = (suggestions: readonly SuggestionDraft[]): Promise<unknown> =>
  call(endpoints.configs.updateSuggestions, { body: { suggestions: suggestions.map(fromDraft) } })

export const saveWaiting = ({ title, content }: Waiting): Promise<unknown> =>
  call(endpoints.auths.updateAdminConfig, {
    body: {
      PENDING_USER_OVERLAY_TITLE: title.trim(),
      PENDING_USER_OVERLAY_CONTENT: content.trim(),
    },
  })

/** A list with one entry in another place. */
export function moveEntry<Entry>(
  entries: readonly Entry[],
  from: number,
  to: number,
): readonly Entry[] {
  const moved = [...entries]
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}
