// Entry of a codec process. All decoding and encoding runs in such processes, so that a crash affects nothing else.
import { serveJobs } from './codec/job-server.ts';

serveJobs();
