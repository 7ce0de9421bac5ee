import { type UtilityProcess } from 'electron'
/**
 * Starts processes that read documents for the packed gateway, which cannot start any itself. They get no environment, and
 * a line to the gateway that does not lead through this process.
 */
export declare function serveReaders(gateway: UtilityProcess, gatewayEntry: string): void
