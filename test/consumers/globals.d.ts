/** What strict-mode.mjs puts on the page. */
declare var workerCounts: { made: number; ended: number }
