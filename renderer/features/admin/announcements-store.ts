import type { Banner, Suggestion } from '#contract/configs.ts'
import { call, endpoints } from '../../api/client.ts'

/** Text shown while an account waits for approval. */
export interface Waiting {
  readonly title: string
  readonly content: string
}

/** A suggestion being edited. */
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

/** Adds a second line only if there is a subtitle. */
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
 * Stores the banners. A changed one receives a new timestamp, so that users who dismissed it see it
 * again.
 */
export function saveBanners(
  before: readonly Banner[],
  banners: readonly Banner[],
): Promise<Banner[]> {
  const timestamp = Math.floor(Date.now() / 1000)
  const known = new Map(before.map((banner) => [banner.id, JSON.stringify(banner)]))
  const stamped = banners.map((banner) =>
    known.get(banner.id) === JSON.stringify(banner) ? banner : { ...banner, timestamp },
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

/** Returns a list with one entry moved. */
export function moveEntry<Entry>(
  entries: readonly Entry[],
  from: number,
  to: number,
): readonly Entry[] {
  const moved = [...entries]
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}
