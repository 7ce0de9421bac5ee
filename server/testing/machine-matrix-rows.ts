import { analyticsRows } from './analytics-matrix-rows.ts'
import { automationRows } from './automation-matrix-rows.ts'
import { calendarRows } from './calendar-matrix-rows.ts'
import { engineRows } from './engine-matrix-rows.ts'
import { outgoingRows } from './outgoing-matrix-rows.ts'
import { sharingRows } from './sharing-matrix-rows.ts'
import { timeMachineRows } from './time-machine-matrix-rows.ts'

/** Rows that concern the computer the gateway runs on. */
export const machineRows = {
  ...sharingRows,
  ...outgoingRows,
  ...engineRows,
  ...timeMachineRows,
  ...analyticsRows,
  ...automationRows,
  ...calendarRows,
}
