/** Reasons for a good rating, by the keys other clients store. */
const GOOD = [
  'accurate_information',
  'followed_instructions_perfectly',
  'thorough_explanation',
  'attention_to_detail',
  'showcased_creativity',
  'positive_attitude',
  'other',
] as const

/** Reasons for a bad rating. */
const BAD = [
  'not_factually_correct',
  'didnt_fully_follow_instructions',
  'not_helpful',
  'too_verbose',
  'dont_like_the_style',
  'being_lazy',
  'refused_when_it_shouldnt_have',
  'other',
] as const

export const REASONS = { '1': GOOD, '-1': BAD } as const

export type RatingReason = (typeof GOOD)[number] | (typeof BAD)[number]

const ALL: readonly string[] = [...GOOD, ...BAD]

/** Returns true if a stored reason is one of these; other clients store free text. */
export const isRatingReason = (reason: string): reason is RatingReason => ALL.includes(reason)
