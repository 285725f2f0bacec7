// Entry of a codec process: everything that decodes or encodes runs in one of these, so that its death is no one else's.
import { serveJobs } from './codec/job-server.ts';

serveJobs();
