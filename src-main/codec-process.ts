// Entry of a codec process. Decoding and encoding run in separate processes, so that a crash does not affect the server.
import { serveJobs } from './codec/job-server.ts';

serveJobs();
