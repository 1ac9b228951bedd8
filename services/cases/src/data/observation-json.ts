const msOf = (time: string) => `(extract(epoch FROM ${time}) * 1000)::bigint`;

const timesAndSource = `
  'statusDate', seen.status_date, 'source', seen.source, 'statusAtMs', ${msOf('seen.status_at')},
  'firstObservedAtMs', ${msOf('seen.first_observed_at')}, 'lastObservedAtMs', ${msOf('seen.last_observed_at')},
  'withdrawnAtMs', ${msOf('seen.withdrawn_at')}`;

/** A row `seen` of observations as a `StoredObservation`. */
export const OBSERVATION_AS_JSON = `json_build_object(
  'entry', seen.entry, 'status', seen.status, 'statusEs', seen.status_es, ${timesAndSource})`;

/** The column `observations` of a row with a receipt number: an array of `Observation`, or null. */
export const observationsAsJson = (of: string, { inSpanish }: { inSpanish: boolean }) => `
  (SELECT json_agg(json_build_object(
     'status', seen.status, ${inSpanish ? "'statusEs', seen.status_es," : ''} ${timesAndSource}))
   FROM observations AS seen WHERE seen.receipt_number = ${of}.receipt_number) AS observations`;
