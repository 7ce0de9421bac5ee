import { accessGrantRecordSchema, accessInput } from './access.ts'
import { cleanName } from './clean-name.ts'
import { authorSchema, idSchema, jsonObjectSchema, statusSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

/** Calendar that shows the run times of automations; it is computed from them and not stored. */
export const AUTOMATIONS_CALENDAR = '__scheduled_tasks__'

export const CALENDAR_LIMITS = Object.freeze({
  calendars: 200,
  eventsOfCalendar: 20_000,
  attendees: 200,
  /** Maximum number of events of one calendar in one response, and of occurrences of one event. */
  shownOfCalendar: 2000,
  shownOfEvent: 400,
  /** Maximum numbers of events and characters in one response, shared among its calendars. */
  shown: 10_000,
  shownCharacters: 16 * 1024 * 1024,
  /** Maximum length of a rule, which names each occurrence that is left out. */
  ruleCharacters: 20_000,
  /** Maximum bytes of `data`, of `meta`, and of all that is kept about those invited, each as JSON. */
  jsonBytes: 64 * 1024,
})

const NANOSECONDS = 1e6
const EARLIEST = Date.UTC(1900, 0, 1) * NANOSECONDS
const LATEST = Date.UTC(2999, 0, 1) * NANOSECONDS

/** Time in unix nanoseconds, including times before 1970. */
const momentSchema = z.number().min(EARLIEST).max(LATEST)

const calendarSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    color: z.string().nullable(),
    is_default: z.boolean(),
    /** True if it is created by the gateway and read-only. */
    is_system: z.boolean(),
    data: jsonObjectSchema.nullable(),
    meta: jsonObjectSchema.nullable(),
    access_grants: z.array(accessGrantRecordSchema),
    /** True if the caller may change its events. */
    write_access: z.boolean(),
    created_at: z.number(),
    updated_at: z.number(),
  })
  .meta({ id: 'Calendar' })
export type Calendar = z.output<typeof calendarSchema>

export const attendeeStatusSchema = z.enum(['pending', 'accepted', 'declined', 'tentative'])
export type AttendeeStatus = z.output<typeof attendeeStatusSchema>

const attendeeSchema = z
  .object({
    id: z.string(),
    event_id: z.string(),
    user_id: z.string(),
    status: attendeeStatusSchema,
    meta: jsonObjectSchema.nullable(),
    created_at: z.number(),
    updated_at: z.number(),
  })
  .meta({ id: 'CalendarAttendee' })

const eventSchema = z
  .object({
    id: z.string(),
    calendar_id: z.string(),
    user_id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    start_at: z.number(),
    end_at: z.number().nullable(),
    all_day: z.boolean(),
    /** `RRULE:FREQ=…`; text that is not a valid rule is kept and has no effect. */
    rrule: z.string().nullable(),
    color: z.string().nullable(),
    location: z.string().nullable(),
    data: jsonObjectSchema.nullable(),
    /** `timezone` is the time zone of a rule and of the days of an all-day event. */
    meta: jsonObjectSchema.nullable(),
    is_cancelled: z.boolean(),
    attendees: z.array(attendeeSchema),
    created_at: z.number(),
    updated_at: z.number(),
  })
  .meta({ id: 'CalendarEvent' })
export type CalendarEvent = z.output<typeof eventSchema>

/** Event at one of its times; `instance_id` distinguishes the occurrences of a recurring one. */
const shownEventSchema = eventSchema
  .extend({ user: authorSchema, instance_id: z.string().nullable() })
  .meta({ id: 'ShownCalendarEvent' })
export type ShownEvent = z.output<typeof shownEventSchema>

const nameSchema = z.string().overwrite(cleanName).max(200)
const colorSchema = z.string().max(50)

const calendarInputSchema = z
  .object({
    name: nameSchema,
    color: colorSchema.nullish(),
    data: jsonObjectSchema.nullish(),
    meta: jsonObjectSchema.nullish(),
    access_grants: accessInput.access_grants,
  })
  .meta({ id: 'CalendarInput' })
export type CalendarInput = z.output<typeof calendarInputSchema>

const calendarUpdateSchema = calendarInputSchema
  .extend({ name: nameSchema.optional() })
  .meta({ id: 'CalendarUpdate' })
export type CalendarUpdate = z.output<typeof calendarUpdateSchema>

const attendeeInputSchema = z.looseObject({
  user_id: idSchema,
  status: attendeeStatusSchema.optional(),
  meta: jsonObjectSchema.nullish(),
})
export type AttendeeInput = z.output<typeof attendeeInputSchema>

const eventFields = {
  title: z.string().overwrite(cleanName).max(500),
  description: z.string().max(20_000).nullish(),
  start_at: momentSchema,
  end_at: momentSchema.nullish(),
  all_day: z.boolean().optional(),
  rrule: z.string().max(CALENDAR_LIMITS.ruleCharacters).nullish(),
  color: colorSchema.nullish(),
  location: z.string().max(1000).nullish(),
  data: jsonObjectSchema.nullish(),
  meta: jsonObjectSchema.nullish(),
  is_cancelled: z.boolean().optional(),
  attendees: z.array(attendeeInputSchema).max(CALENDAR_LIMITS.attendees).nullish(),
}

const eventInputSchema = z.object({ calendar_id: idSchema, ...eventFields }).meta({
  id: 'CalendarEventInput',
  example: {
    calendar_id: '4f1c',
    title: 'Team meeting',
    start_at: 1893488400000000000,
    end_at: 1893492000000000000,
    rrule: 'RRULE:FREQ=WEEKLY',
    meta: { timezone: 'Europe/Berlin' },
  },
})
export type EventInput = z.output<typeof eventInputSchema>

/**
 * Selects occurrences of a series: those before this one stay as they are. If absent, the whole
 * series is selected.
 */
const instanceFields = {
  /** Start of one occurrence of a series, as lists show it. */
  instance_at: momentSchema.optional(),
  scope: z.enum(['this', 'following']).optional(),
}
export interface EventInstance {
  readonly instance_at?: number
  readonly scope?: 'this' | 'following'
}

const eventUpdateSchema = z
  .object({
    ...instanceFields,
    ...eventFields,
    calendar_id: idSchema.optional(),
    title: eventFields.title.optional(),
    start_at: momentSchema.optional(),
  })
  .meta({ id: 'CalendarEventUpdate' })
export type EventUpdate = z.output<typeof eventUpdateSchema>

const calendarParams = z.object({ calendar_id: idSchema })
const eventParams = z.object({ event_id: idSchema })
const idsSchema = z
  .string()
  .max(20_000)
  .transform((text) => text.split(',').map((id) => id.trim()))
  .transform((ids) => ids.filter(Boolean))

export const calendarEndpoints = defineEndpoints(
  {
    domain: 'calendars',
    tag: 'Calendars',
    root: '/api/v1/calendars',
    feature: 'ENABLE_CALENDAR',
    permission: 'features.calendar',
    errors: [403],
  },
  {
    list: {
      method: 'GET',
      path: '/',
      response: z.array(calendarSchema),
      summary:
        'Calendars of the caller, then those shared with them, then that of automations. Creates one for callers without any.',
    },
    create: {
      method: 'POST',
      path: '/create',
      body: calendarInputSchema,
      response: calendarSchema,
      errors: [400, 403],
      summary: 'Creates a calendar.',
    },
    events: {
      method: 'GET',
      path: '/events',
      query: z.object({
        start: z.string().max(100),
        end: z.string().max(100),
        calendar_ids: idsSchema.optional(),
      }),
      response: z.array(shownEventSchema),
      errors: [400, 403],
      summary:
        'Events between two ISO 8601 times, each time of a repeated event separately. Without `calendar_ids` those of all calendars, and invitations of the caller.',
    },
    search: {
      method: 'GET',
      path: '/events/search',
      query: z.object({
        query: z.string().max(200).optional(),
        skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
        limit: z.coerce.number().int().min(1).max(100).default(30),
      }),
      response: z
        .object({ items: z.array(eventSchema.extend({ user: authorSchema })), total: z.number() })
        .meta({ id: 'CalendarEventPage' }),
      summary: 'Events that contain words in title or description; without words all.',
    },
    createEvent: {
      method: 'POST',
      path: '/events/create',
      body: eventInputSchema,
      response: eventSchema,
      errors: [400, 403, 404],
      summary: 'Adds an event to a calendar the caller may change.',
    },
    getEvent: {
      method: 'GET',
      path: '/events/:event_id',
      params: eventParams,
      response: eventSchema,
      errors: [403, 404],
      summary: 'One event, for readers of its calendar and those invited.',
    },
    updateEvent: {
      method: 'POST',
      path: '/events/:event_id/update',
      params: eventParams,
      body: eventUpdateSchema,
      response: eventSchema,
      errors: [400, 403, 404],
      summary:
        'Changes an event. `attendees` replaces those invited, `calendar_id` moves it, null clears a field. With `instance_at` only that time of a series, or with `scope` `following` all from it on: they become a separate event, which is returned.',
    },
    answer: {
      method: 'POST',
      path: '/events/:event_id/rsvp',
      params: eventParams,
      body: z.object({ status: z.string().max(100) }),
      response: z.object({ status: z.literal(true), rsvp: attendeeStatusSchema }),
      errors: [400, 403, 404],
      summary: 'Answers an invitation: pending, accepted, declined or tentative.',
    },
    removeEvent: {
      method: 'DELETE',
      path: '/events/:event_id/delete',
      params: eventParams,
      query: z.object({
        ...instanceFields,
        instance_at: z.coerce.number().pipe(momentSchema).optional(),
      }),
      response: statusSchema,
      errors: [400, 403, 404],
      summary:
        'Deletes an event; with `instance_at` only that time of a series, or with `scope` `following` all from it on.',
    },
    get: {
      method: 'GET',
      path: '/:calendar_id',
      params: calendarParams,
      response: calendarSchema,
      errors: [403, 404],
      summary: 'One calendar.',
    },
    update: {
      method: 'POST',
      path: '/:calendar_id/update',
      params: calendarParams,
      body: calendarUpdateSchema,
      response: calendarSchema,
      errors: [400, 403, 404],
      summary: 'Changes a calendar; only its owner and administrators change its grants.',
    },
    makeDefault: {
      method: 'POST',
      path: '/:calendar_id/default',
      params: calendarParams,
      response: calendarSchema,
      errors: [403, 404],
      summary: 'Makes a calendar of the caller the default one.',
    },
    remove: {
      method: 'DELETE',
      path: '/:calendar_id/delete',
      params: calendarParams,
      response: statusSchema,
      errors: [400, 403, 404],
      summary: 'Deletes a calendar with its events; 400 for the default one.',
    },
  },
)
