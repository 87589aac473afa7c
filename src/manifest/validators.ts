// Written by scripts/schema.mjs from the schemas beside it.
// @ts-nocheck
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    function ucs2length(str) {
      let len = str.length, length = 0, pos = 0, value;
      for (; pos < len; )
        length++, value = str.charCodeAt(pos++), value >= 55296 && value <= 56319 && pos < len && (value = str.charCodeAt(pos), (value & 64512) === 56320 && pos++);
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var checkService = validate20, schema31 = { type: "object", required: ["name", "service_type", "compute_type", "environment", "volumes", "files", "ports", "dns", "dns-search", "labels", "affinity", "restart", "stop", "triggers", "webhooks"], properties: { name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "a DNS label: a-z, 0-9 and -, at most 63 characters" }, description: { type: "string", minLength: 1, maxLength: 1e3, expected: "a text of at most 1000 characters" }, service_type: { enum: ["continuous", "scheduled", "event"], type: "string", expected: "one of continuous, scheduled, event" }, after: { type: "array", items: { type: "object", required: ["service", "condition"], properties: { service: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "the name of a service of the project" }, condition: { enum: ["started", "healthy", "completed"], type: "string", expected: "one of started, healthy, completed" } }, additionalProperties: !1, expected: "the name of a service, or a map with service and condition" }, maxItems: 100, expected: "a list of services, at most 100" }, compute_type: { enum: ["docker", "process", "infrastructure", "kvm", "manta"], type: "string", expected: "one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta" }, image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$", expected: "the name of an image, such as nginx:1.27" }, package: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "the name, uuid or family of a package" }, memory: { type: "integer", minimum: 4, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 4" }, memory_swap: { type: "integer", minimum: -1, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, or -1" }, cpu: { type: "number", minimum: 0.01, maximum: 1e3, expected: "a number of cores with at most two decimals, from 0.01 to 1000" }, pids: { type: "integer", minimum: 1, maximum: 4194304, expected: "a whole number from 1 to 4194304" }, ulimits: { type: "object", properties: { core: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, cpu: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, data: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, fsize: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, locks: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, memlock: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, msgqueue: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nice: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nofile: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nproc: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, rss: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, rtprio: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, sigpending: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, stack: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" } }, additionalProperties: !1, expected: "a map such as nofile: 65536" }, shm_size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, from 1M to 1T" }, command: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, entrypoint: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, init_steps: { type: "array", items: { type: "object", required: ["command"], properties: { command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" } }, additionalProperties: !1, expected: "a command line, or a map with command" }, minItems: 1, maxItems: 20, expected: "a list of steps, from 1 to 20" }, init_timeout: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, environment: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, user: { type: "string", minLength: 1, pattern: "^[^\\s]+$", expected: "a user name or id, with an optional :group for docker" }, group_add: { type: "array", items: { type: "string", pattern: "^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$", maxLength: 100, expected: "the name or the number of a group" }, maxItems: 100, expected: "a list of groups" }, working_dir: { type: "string", pattern: "^/", expected: "an absolute path" }, hostname: { type: "string", pattern: "^(?:[A-Za-z0-9.-]|[^]*)+$", maxLength: 253, expected: "the name of a host: letters, digits, - and dots" }, extra_hosts: { type: "array", items: { type: "string", pattern: "^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$", expected: "NAME:ADDRESS" }, maxItems: 100, expected: "a list of NAME:ADDRESS, or a map" }, init: { type: "boolean", expected: "true or false, or a list of steps" }, read_only: { type: "boolean", expected: "true or false" }, cap_add: { type: "array", items: { type: "string", enum: ["ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE", "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "WAKE_ALARM"], expected: "a capability such as NET_ADMIN, or ALL" }, maxItems: 50, expected: "a list of capabilities" }, cap_drop: { type: "array", items: { type: "string", enum: ["ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE", "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "WAKE_ALARM"], expected: "a capability such as NET_ADMIN, or ALL" }, maxItems: 50, expected: "a list of capabilities" }, no_new_privileges: { type: "boolean", expected: "true or false" }, privileged: { type: "boolean", expected: "true or false" }, devices: { type: "array", items: { type: "string", pattern: "^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$", maxLength: 512, expected: "a device such as /dev/fuse, /dev/a:/dev/b or /dev/a:/dev/b:r" }, maxItems: 100, expected: "a list of devices" }, gpus: { type: "string", pattern: "^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$", maxLength: 1e3, expected: "all, a number, or device=ID,ID" }, sysctls: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, volumes: { type: "array", items: { type: "object", required: ["path", "readonly"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", expected: "a name of letters, digits, _ and -, at most 63 characters" }, host: { type: "string", pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, maxLength: 1e3, expected: "an absolute path, without a colon, blanks, quotes, \\, . and .." }, tmpfs: { type: "boolean", const: !0, expected: "true" }, path: { type: "string", pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, maxLength: 1e3, expected: "an absolute path below /, without a colon, blanks, quotes, \\, . and .." }, readonly: { type: "boolean" }, scope: { enum: ["instance", "service"], type: "string", expected: "one of instance, service" }, on_lost: { enum: ["wait", "fresh"], type: "string", expected: "one of wait, fresh" }, size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 64M, from 1M to 1T" } }, additionalProperties: !1, expected: 'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs' }, maxItems: 100, expected: "a list of volumes, at most 100" }, files: { type: "array", items: { type: "object", required: ["path"], properties: { path: { type: "string", pattern: `^/?(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$`, maxLength: 1e3, expected: "a path without a colon, blanks, quotes, \\, . and .." }, template: { type: "string", secret: !0, maxLength: 262144, expected: "a text of at most 262144 characters" }, source: { type: "string", pattern: `^(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$`, maxLength: 1e3, expected: "a path below the directory of the manifest, without a colon, blanks, quotes, \\, . and .." }, mode: { type: "string", pattern: "^0[0-7]{3}$", expected: "permissions in octal such as 0440, without setuid, setgid and the sticky bit" }, owner: { type: "string", pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?)?$", expected: "user or user:group, each a name or a number" }, secret: { type: "boolean" } }, additionalProperties: !1, expected: "a map with path and one of content, template, source and meta" }, maxItems: 100, expected: "a list of files, at most 100" }, ports: { type: "array", items: { type: "object", required: ["container", "protocol"], properties: { ip: { type: "string" }, host: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 0 }, container: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, protocol: { enum: ["tcp", "udp"], type: "string", expected: "one of tcp, udp" } }, additionalProperties: !1, expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"' }, maxItems: 1e3, expected: "a list of ports, at most 1000" }, dns: { type: "array", items: { type: "string", minLength: 2, expected: "an IPv4 or IPv6 address" }, maxItems: 10, expected: "a list of at most 10 addresses" }, "dns-search": { type: "array", items: { type: "string", pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", expected: "a domain such as example.com" }, maxItems: 32, expected: "a list of at most 32 domains" }, cns: { type: "object", properties: { services: { type: "array", items: { type: "string", minLength: 1, expected: "a name such as web:8080" }, maxItems: 100, expected: "a list of at most 100 names such as web:8080:priority=1:weight=20" }, ttl: { type: "integer", minimum: 0, maximum: 3600, expected: "whole seconds from 0 to 3600" }, hysteresis: { type: "boolean", expected: "true or false" }, disable: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with services, ttl, hysteresis and disable" }, entry: { type: "array", items: { type: "object", required: ["path", "tls", "retries", "weight", "drain"], properties: { host: { type: "string", pattern: "^(?=.{1,253}$)(\\*\\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$", expected: "a host such as shop.example, or *.shop.example" }, path: { type: "string", pattern: "^(?:/|(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+)$", maxLength: 1e3, expected: "a path such as /api, without {, }, %, * and ?" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, tls: { type: "object", required: ["mode"], properties: { mode: { enum: ["auto", "internal", "off", "meta"], type: "string", expected: "one of auto, internal, off, meta" }, cert: { type: "string", minLength: 1, maxLength: 256, expected: "a key of the project's metadata" }, key: { type: "string", minLength: 1, maxLength: 256, expected: "a key of the project's metadata" } }, additionalProperties: !1, expected: "auto, internal, off, or a map with cert and key" }, redirect: { type: "string", pattern: "^https?://[^\\s{}/]+(/[^\\s{}]*)?$", maxLength: 2e3, expected: "a URL such as https://shop.example" }, strip_prefix: { type: "string", pattern: "^(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+$", maxLength: 1e3, expected: "a path such as /api, or true for that of the route" }, timeout: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, retries: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, max_body: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 10M, from 1M to 1T" }, sticky: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$", expected: "true, or the name of a cookie: letters, digits, _ and -, at most 64" }, headers: { type: "object", properties: { request: { type: "object", patternProperties: { "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$": { type: "string", pattern: "^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$", maxLength: 4096, expected: "a text in one line, without braces" } }, expected: "a map, or a list of key=value" }, response: { type: "object", patternProperties: { "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$": { type: "string", pattern: "^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$", maxLength: 4096, expected: "a text in one line, without braces" } }, expected: "a map, or a list of key=value" } }, additionalProperties: !1, expected: "a map with request and response" }, weight: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, drain: { type: "number", minimum: 0, maximum: 60, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 60 seconds' } }, additionalProperties: !1, expected: "a map with host, path, port and tls" }, maxItems: 100, expected: "a list of at most 100 maps with host, path, port and tls" }, labels: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, affinity: { type: "array", items: { type: "object", required: ["key", "operator", "value"], properties: { key: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$", expected: "container, instance, service, machine.<key> or the name of a tag, of two characters or more" }, operator: { enum: ["==", "!=", "==~", "!=~"], type: "string", expected: "one of ==, !=, ==~, !=~" }, value: { type: "string", maxLength: 256, pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", expected: "a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces" }, by: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" } }, additionalProperties: !1, expected: "a rule such as role!=database" }, maxItems: 100, expected: "a list of at most 100 rules such as role!=database" }, spread: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" }, concurrency: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, timeout: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, restart: { type: "object", required: ["policy"], properties: { policy: { enum: ["no", "on-failure", "always", "unless-stopped"], type: "string", expected: "one of no, on-failure, always, unless-stopped" }, max: { type: "integer", minimum: 1, maximum: 1e6, expected: "a whole number from 1" } }, additionalProperties: !1, expected: "no, on-failure, on-failure:3, always or unless-stopped" }, stop: { type: "object", required: ["timeout", "preservestopped"], properties: { timeout: { type: "integer", minimum: -1e9, maximum: 1e9, expected: 'whole seconds: a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M' }, preservestopped: { enum: ["on-failure", "no", "always"], type: "string", expected: "one of on-failure, no, always" } }, additionalProperties: !1, expected: "a map with timeout and preservestopped" }, stop_signal: { type: "string", pattern: "^SIG[A-Z0-9+]+$", expected: "a signal such as SIGINT" }, log: { type: "object", properties: { driver: { type: "string", pattern: "^[a-z0-9][a-zA-Z0-9._/:-]*$", maxLength: 255, expected: "the name of a log driver such as json-file" }, max_size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, from 1M to 1T" }, max_files: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, options: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" } }, additionalProperties: !1, expected: "a map with driver, max_size, max_files and options" }, healthchecks: { type: "array", items: { type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf: [{ type: "object", required: ["type", "network", "port", "path", "poll", "timeout", "retries"], properties: { type: { enum: ["http", "https"], type: "string", expected: "one of http, https" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, path: { type: "string", pattern: "^/", expected: "a path that begins with /" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, redirects: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, host: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", expected: "the name of a host" }, verify: { type: "boolean", expected: "true or false" } }, additionalProperties: !1 }, { type: "object", required: ["type", "network", "port", "poll", "timeout", "retries"], properties: { type: { enum: ["tcp"], type: "string", expected: "one of tcp" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }, { type: "object", required: ["type", "command", "poll", "timeout", "retries"], properties: { type: { enum: ["command"], type: "string", expected: "one of command" }, command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" }, user: { type: "string", minLength: 1, expected: "a user name or id" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }], expected: "a map with type http, https, tcp or command" }, maxItems: 20, expected: "a list of at most 20 checks" }, containerpilot: { type: "object", required: ["port"], properties: { network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 } }, additionalProperties: !1, expected: "a map with network and port" }, autoscale: { type: "object", required: ["enable", "min", "retrigger_delay", "notify_email"], properties: { enable: { enum: ["notify", !0, !1], expected: "notify, true or false" }, min: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, max: { type: "integer", minimum: 1, maximum: 1e5, expected: "a whole number from 1 to 100000" }, retrigger_delay: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, notify_email: { type: "array", items: { type: "string", pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$", maxLength: 254, expected: "an e-mail address" }, maxItems: 20, expected: "a list of at most 20 e-mail addresses" } }, additionalProperties: !1, expected: "a map with enable, min, max, retrigger_delay and notify_email" }, triggers: { type: "array", items: { type: "object", if: { anyOf: [{ required: ["url"] }, { required: ["secret"] }] }, then: { type: "object", required: ["name", "url", "action"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, url: { const: !0, expected: "true" }, secret: { type: "string", minLength: 8, maxLength: 256, pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$", expected: "a secret of 8 to 256 letters, digits and signs without blanks", secret: !0 }, action: { enum: ["start", "stop", "scale"], type: "string", expected: "one of start, stop, scale" }, scale: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, instances: { type: "integer", minimum: -1e4, maximum: 1e4, expected: "a whole number from -10000 to 10000" } }, additionalProperties: !1, expected: "a trigger with secret (or url: true) and action" }, else: { type: "object", required: ["name", "source", "operator", "value", "percent", "time", "aggregate", "action", "instances"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, source: { type: "string", pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", expected: "containermonitor.<metric>, containerpilot.<metric>, or the same behind service.<name>." }, operator: { enum: ["<", "<=", ">", ">=", "==", "!="], type: "string", expected: "one of <, <=, >, >=, ==, !=" }, value: { type: "number", expected: "a number, or a percentage such as 80%" }, percent: { type: "boolean", expected: "true or false" }, time: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, aggregate: { enum: ["avg", "min", "max", "sum", "p90"], type: "string", expected: "one of avg, min, max, sum, p90" }, action: { enum: ["increment", "decrement"], type: "string", expected: "increment (or incr), or decrement (or decr)" }, instances: { type: "integer", minimum: 1, maximum: 1e4, expected: "a whole number from 1 to 10000" } }, additionalProperties: !1, expected: "a trigger with source, operator, value, time and action" }, expected: "a trigger" }, maxItems: 50, expected: "a list or a map of at most 50 triggers" }, webhooks: { type: "array", items: { type: "object", required: ["url", "events", "headers", "allow_private"], properties: { url: { type: "string", pattern: "^https?://[^\\s/?#]+\\S*$", maxLength: 2048, expected: "a URL that begins with https:// or http://" }, events: { type: "array", items: { enum: ["start", "stop", "health", "scale", "deploy"], type: "string", expected: "one of start, stop, health, scale, deploy" }, minItems: 1, uniqueItems: !0, expected: "a list of start, stop, health, scale, deploy, each once" }, secret: { type: "string", pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", secret: !0, expected: "whsec_ and the base64 of 24 to 64 bytes" }, headers: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, allow_private: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with url" }, maxItems: 20, expected: "a list of at most 20 webhooks" }, schedule: { type: "object", required: ["kind", "expression", "overlap"], properties: { kind: { enum: ["interval", "cron"], type: "string", expected: "one of interval, cron" }, expression: { type: "string", minLength: 1, maxLength: 256, expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"' }, epsilon: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, timezone: { type: "string", minLength: 1, expected: "a time zone such as Europe/Berlin" }, overlap: { enum: ["skip", "allow", "replace"], type: "string", expected: "one of skip, allow, replace" } }, additionalProperties: !1, expected: "an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map" } }, additionalProperties: !1, expected: "a map of manifest keys", $id: "serviceSchema" }, func1 = Object.prototype.hasOwnProperty, func2 = require_ucs2length().default, pattern4 = new RegExp("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", "u"), pattern6 = new RegExp("^\\S+$", "u"), pattern7 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_.-]*$", "u"), pattern8 = new RegExp("^[^\\s=]+$", "u"), pattern9 = new RegExp("^[^\\s]+$", "u"), pattern10 = new RegExp("^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$", "u"), pattern11 = new RegExp("^/", "u"), pattern12 = new RegExp("^(?:[A-Za-z0-9.-]|[^]*)+$", "u"), pattern13 = new RegExp("^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$", "u"), pattern14 = new RegExp("^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$", "u"), pattern15 = new RegExp("^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$", "u"), pattern17 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", "u"), pattern18 = new RegExp(`^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, "u"), pattern19 = new RegExp(`^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, "u"), pattern20 = new RegExp(`^/?(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$`, "u"), pattern21 = new RegExp(`^(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$`, "u"), pattern22 = new RegExp("^0[0-7]{3}$", "u"), pattern23 = new RegExp("^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?)?$", "u"), pattern24 = new RegExp("^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", "u"), pattern25 = new RegExp("^(?=.{1,253}$)(\\*\\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$", "u"), pattern26 = new RegExp("^(?:/|(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+)$", "u"), pattern27 = new RegExp("^https?://[^\\s{}/]+(/[^\\s{}]*)?$", "u"), pattern28 = new RegExp("^(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+$", "u"), pattern29 = new RegExp("^[A-Za-z0-9_-]{1,64}$", "u"), pattern30 = new RegExp("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$", "u"), pattern31 = new RegExp("^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$", "u"), pattern35 = new RegExp("^[A-Za-z_][A-Za-z0-9_.-]+$", "u"), pattern36 = new RegExp("^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", "u"), pattern37 = new RegExp("^[A-Za-z0-9_.-]{1,128}$", "u"), pattern39 = new RegExp("^SIG[A-Z0-9+]+$", "u"), pattern40 = new RegExp("^[a-z0-9][a-zA-Z0-9._/:-]*$", "u"), pattern42 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", "u"), pattern44 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", "u"), pattern50 = new RegExp("^[^\\s@<>,;]+@[^\\s@<>,;]+$", "u"), pattern52 = new RegExp("^([\\x21-\\x7e]+|meta\\.[^]+)$", "u"), pattern54 = new RegExp("^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", "u"), pattern55 = new RegExp("^https?://[^\\s/?#]+\\S*$", "u"), pattern56 = new RegExp("^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", "u");
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.service_type === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "service_type" }, message: "must have required property 'service_type'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.compute_type === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "compute_type" }, message: "must have required property 'compute_type'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.environment === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "environment" }, message: "must have required property 'environment'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.volumes === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "volumes" }, message: "must have required property 'volumes'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.files === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "files" }, message: "must have required property 'files'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.ports === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "ports" }, message: "must have required property 'ports'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.dns === void 0) {
      let err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "dns" }, message: "must have required property 'dns'" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data["dns-search"] === void 0) {
      let err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "dns-search" }, message: "must have required property 'dns-search'" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.labels === void 0) {
      let err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "labels" }, message: "must have required property 'labels'" };
      vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
    }
    if (data.affinity === void 0) {
      let err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "affinity" }, message: "must have required property 'affinity'" };
      vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
    }
    if (data.restart === void 0) {
      let err11 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "restart" }, message: "must have required property 'restart'" };
      vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
    }
    if (data.stop === void 0) {
      let err12 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "stop" }, message: "must have required property 'stop'" };
      vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
    }
    if (data.triggers === void 0) {
      let err13 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "triggers" }, message: "must have required property 'triggers'" };
      vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
    }
    if (data.webhooks === void 0) {
      let err14 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "webhooks" }, message: "must have required property 'webhooks'" };
      vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema31.properties, key0)) {
        let err15 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
      }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 == "string") {
        if (!pattern4.test(data0)) {
          let err16 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
          vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
        }
      } else {
        let err17 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
    }
    if (data.description !== void 0) {
      let data1 = data.description;
      if (typeof data1 == "string") {
        if (func2(data1) > 1e3) {
          let err18 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
          vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
        }
        if (func2(data1) < 1) {
          let err19 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
        }
      } else {
        let err20 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
    }
    if (data.service_type !== void 0) {
      let data2 = data.service_type;
      if (typeof data2 != "string") {
        let err21 = { instancePath: instancePath + "/service_type", schemaPath: "#/properties/service_type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
      if (!(data2 === "continuous" || data2 === "scheduled" || data2 === "event")) {
        let err22 = { instancePath: instancePath + "/service_type", schemaPath: "#/properties/service_type/enum", keyword: "enum", params: { allowedValues: schema31.properties.service_type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
    }
    if (data.after !== void 0) {
      let data3 = data.after;
      if (Array.isArray(data3)) {
        if (data3.length > 100) {
          let err23 = { instancePath: instancePath + "/after", schemaPath: "#/properties/after/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
        }
        let len0 = data3.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data4 = data3[i0];
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            if (data4.service === void 0) {
              let err24 = { instancePath: instancePath + "/after/" + i0, schemaPath: "#/properties/after/items/required", keyword: "required", params: { missingProperty: "service" }, message: "must have required property 'service'" };
              vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
            }
            if (data4.condition === void 0) {
              let err25 = { instancePath: instancePath + "/after/" + i0, schemaPath: "#/properties/after/items/required", keyword: "required", params: { missingProperty: "condition" }, message: "must have required property 'condition'" };
              vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
            }
            for (let key1 in data4)
              if (!(key1 === "service" || key1 === "condition")) {
                let err26 = { instancePath: instancePath + "/after/" + i0, schemaPath: "#/properties/after/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
              }
            if (data4.service !== void 0) {
              let data5 = data4.service;
              if (typeof data5 == "string") {
                if (!pattern4.test(data5)) {
                  let err27 = { instancePath: instancePath + "/after/" + i0 + "/service", schemaPath: "#/properties/after/items/properties/service/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
                  vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
                }
              } else {
                let err28 = { instancePath: instancePath + "/after/" + i0 + "/service", schemaPath: "#/properties/after/items/properties/service/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
              }
            }
            if (data4.condition !== void 0) {
              let data6 = data4.condition;
              if (typeof data6 != "string") {
                let err29 = { instancePath: instancePath + "/after/" + i0 + "/condition", schemaPath: "#/properties/after/items/properties/condition/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
              }
              if (!(data6 === "started" || data6 === "healthy" || data6 === "completed")) {
                let err30 = { instancePath: instancePath + "/after/" + i0 + "/condition", schemaPath: "#/properties/after/items/properties/condition/enum", keyword: "enum", params: { allowedValues: schema31.properties.after.items.properties.condition.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
              }
            }
          } else {
            let err31 = { instancePath: instancePath + "/after/" + i0, schemaPath: "#/properties/after/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
          }
        }
      } else {
        let err32 = { instancePath: instancePath + "/after", schemaPath: "#/properties/after/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
      }
    }
    if (data.compute_type !== void 0) {
      let data7 = data.compute_type;
      if (typeof data7 != "string") {
        let err33 = { instancePath: instancePath + "/compute_type", schemaPath: "#/properties/compute_type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
      }
      if (!(data7 === "docker" || data7 === "process" || data7 === "infrastructure" || data7 === "kvm" || data7 === "manta")) {
        let err34 = { instancePath: instancePath + "/compute_type", schemaPath: "#/properties/compute_type/enum", keyword: "enum", params: { allowedValues: schema31.properties.compute_type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
      }
    }
    if (data.image !== void 0) {
      let data8 = data.image;
      if (typeof data8 == "string") {
        if (func2(data8) > 512) {
          let err35 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
          vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
        }
        if (func2(data8) < 1) {
          let err36 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
        }
        if (!pattern6.test(data8)) {
          let err37 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/pattern", keyword: "pattern", params: { pattern: "^\\S+$" }, message: 'must match pattern "^\\S+$"' };
          vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
        }
      } else {
        let err38 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
      }
    }
    if (data.package !== void 0) {
      let data9 = data.package;
      if (typeof data9 == "string") {
        if (func2(data9) > 128) {
          let err39 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
          vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
        }
        if (func2(data9) < 1) {
          let err40 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
        }
        if (!pattern7.test(data9)) {
          let err41 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_.-]*$"' };
          vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
        }
      } else {
        let err42 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
      }
    }
    if (data.memory !== void 0) {
      let data10 = data.memory;
      if (!(typeof data10 == "number" && !(data10 % 1) && !isNaN(data10) && isFinite(data10))) {
        let err43 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
      }
      if (typeof data10 == "number" && isFinite(data10)) {
        if (data10 > 67108864 || isNaN(data10)) {
          let err44 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/maximum", keyword: "maximum", params: { comparison: "<=", limit: 67108864 }, message: "must be <= 67108864" };
          vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
        }
        if (data10 < 4 || isNaN(data10)) {
          let err45 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/minimum", keyword: "minimum", params: { comparison: ">=", limit: 4 }, message: "must be >= 4" };
          vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
        }
      }
    }
    if (data.memory_swap !== void 0) {
      let data11 = data.memory_swap;
      if (!(typeof data11 == "number" && !(data11 % 1) && !isNaN(data11) && isFinite(data11))) {
        let err46 = { instancePath: instancePath + "/memory_swap", schemaPath: "#/properties/memory_swap/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
      }
      if (typeof data11 == "number" && isFinite(data11)) {
        if (data11 > 67108864 || isNaN(data11)) {
          let err47 = { instancePath: instancePath + "/memory_swap", schemaPath: "#/properties/memory_swap/maximum", keyword: "maximum", params: { comparison: "<=", limit: 67108864 }, message: "must be <= 67108864" };
          vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
        }
        if (data11 < -1 || isNaN(data11)) {
          let err48 = { instancePath: instancePath + "/memory_swap", schemaPath: "#/properties/memory_swap/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
          vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
        }
      }
    }
    if (data.cpu !== void 0) {
      let data12 = data.cpu;
      if (typeof data12 == "number" && isFinite(data12)) {
        if (data12 > 1e3 || isNaN(data12)) {
          let err49 = { instancePath: instancePath + "/cpu", schemaPath: "#/properties/cpu/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
          vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
        }
        if (data12 < 0.01 || isNaN(data12)) {
          let err50 = { instancePath: instancePath + "/cpu", schemaPath: "#/properties/cpu/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
          vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
        }
      } else {
        let err51 = { instancePath: instancePath + "/cpu", schemaPath: "#/properties/cpu/type", keyword: "type", params: { type: "number" }, message: "must be number" };
        vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
      }
    }
    if (data.pids !== void 0) {
      let data13 = data.pids;
      if (!(typeof data13 == "number" && !(data13 % 1) && !isNaN(data13) && isFinite(data13))) {
        let err52 = { instancePath: instancePath + "/pids", schemaPath: "#/properties/pids/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
      }
      if (typeof data13 == "number" && isFinite(data13)) {
        if (data13 > 4194304 || isNaN(data13)) {
          let err53 = { instancePath: instancePath + "/pids", schemaPath: "#/properties/pids/maximum", keyword: "maximum", params: { comparison: "<=", limit: 4194304 }, message: "must be <= 4194304" };
          vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
        }
        if (data13 < 1 || isNaN(data13)) {
          let err54 = { instancePath: instancePath + "/pids", schemaPath: "#/properties/pids/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
        }
      }
    }
    if (data.ulimits !== void 0) {
      let data14 = data.ulimits;
      if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
        for (let key2 in data14)
          if (!func1.call(schema31.properties.ulimits.properties, key2)) {
            let err55 = { instancePath: instancePath + "/ulimits", schemaPath: "#/properties/ulimits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
          }
        if (data14.core !== void 0) {
          let data15 = data14.core;
          if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
            if (data15.soft === void 0) {
              let err56 = { instancePath: instancePath + "/ulimits/core", schemaPath: "#/properties/ulimits/properties/core/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
            }
            if (data15.hard === void 0) {
              let err57 = { instancePath: instancePath + "/ulimits/core", schemaPath: "#/properties/ulimits/properties/core/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
            }
            for (let key3 in data15)
              if (!(key3 === "soft" || key3 === "hard")) {
                let err58 = { instancePath: instancePath + "/ulimits/core", schemaPath: "#/properties/ulimits/properties/core/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
              }
            if (data15.soft !== void 0) {
              let data16 = data15.soft;
              if (!(typeof data16 == "number" && !(data16 % 1) && !isNaN(data16) && isFinite(data16))) {
                let err59 = { instancePath: instancePath + "/ulimits/core/soft", schemaPath: "#/properties/ulimits/properties/core/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
              }
              if (typeof data16 == "number" && isFinite(data16)) {
                if (data16 > 999999999999999 || isNaN(data16)) {
                  let err60 = { instancePath: instancePath + "/ulimits/core/soft", schemaPath: "#/properties/ulimits/properties/core/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
                }
                if (data16 < -1 || isNaN(data16)) {
                  let err61 = { instancePath: instancePath + "/ulimits/core/soft", schemaPath: "#/properties/ulimits/properties/core/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
                }
              }
            }
            if (data15.hard !== void 0) {
              let data17 = data15.hard;
              if (!(typeof data17 == "number" && !(data17 % 1) && !isNaN(data17) && isFinite(data17))) {
                let err62 = { instancePath: instancePath + "/ulimits/core/hard", schemaPath: "#/properties/ulimits/properties/core/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
              }
              if (typeof data17 == "number" && isFinite(data17)) {
                if (data17 > 999999999999999 || isNaN(data17)) {
                  let err63 = { instancePath: instancePath + "/ulimits/core/hard", schemaPath: "#/properties/ulimits/properties/core/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
                }
                if (data17 < -1 || isNaN(data17)) {
                  let err64 = { instancePath: instancePath + "/ulimits/core/hard", schemaPath: "#/properties/ulimits/properties/core/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
                }
              }
            }
          } else {
            let err65 = { instancePath: instancePath + "/ulimits/core", schemaPath: "#/properties/ulimits/properties/core/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err65] : vErrors.push(err65), errors++;
          }
        }
        if (data14.cpu !== void 0) {
          let data18 = data14.cpu;
          if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
            if (data18.soft === void 0) {
              let err66 = { instancePath: instancePath + "/ulimits/cpu", schemaPath: "#/properties/ulimits/properties/cpu/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err66] : vErrors.push(err66), errors++;
            }
            if (data18.hard === void 0) {
              let err67 = { instancePath: instancePath + "/ulimits/cpu", schemaPath: "#/properties/ulimits/properties/cpu/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err67] : vErrors.push(err67), errors++;
            }
            for (let key4 in data18)
              if (!(key4 === "soft" || key4 === "hard")) {
                let err68 = { instancePath: instancePath + "/ulimits/cpu", schemaPath: "#/properties/ulimits/properties/cpu/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err68] : vErrors.push(err68), errors++;
              }
            if (data18.soft !== void 0) {
              let data19 = data18.soft;
              if (!(typeof data19 == "number" && !(data19 % 1) && !isNaN(data19) && isFinite(data19))) {
                let err69 = { instancePath: instancePath + "/ulimits/cpu/soft", schemaPath: "#/properties/ulimits/properties/cpu/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err69] : vErrors.push(err69), errors++;
              }
              if (typeof data19 == "number" && isFinite(data19)) {
                if (data19 > 999999999999999 || isNaN(data19)) {
                  let err70 = { instancePath: instancePath + "/ulimits/cpu/soft", schemaPath: "#/properties/ulimits/properties/cpu/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err70] : vErrors.push(err70), errors++;
                }
                if (data19 < -1 || isNaN(data19)) {
                  let err71 = { instancePath: instancePath + "/ulimits/cpu/soft", schemaPath: "#/properties/ulimits/properties/cpu/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err71] : vErrors.push(err71), errors++;
                }
              }
            }
            if (data18.hard !== void 0) {
              let data20 = data18.hard;
              if (!(typeof data20 == "number" && !(data20 % 1) && !isNaN(data20) && isFinite(data20))) {
                let err72 = { instancePath: instancePath + "/ulimits/cpu/hard", schemaPath: "#/properties/ulimits/properties/cpu/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err72] : vErrors.push(err72), errors++;
              }
              if (typeof data20 == "number" && isFinite(data20)) {
                if (data20 > 999999999999999 || isNaN(data20)) {
                  let err73 = { instancePath: instancePath + "/ulimits/cpu/hard", schemaPath: "#/properties/ulimits/properties/cpu/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err73] : vErrors.push(err73), errors++;
                }
                if (data20 < -1 || isNaN(data20)) {
                  let err74 = { instancePath: instancePath + "/ulimits/cpu/hard", schemaPath: "#/properties/ulimits/properties/cpu/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err74] : vErrors.push(err74), errors++;
                }
              }
            }
          } else {
            let err75 = { instancePath: instancePath + "/ulimits/cpu", schemaPath: "#/properties/ulimits/properties/cpu/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err75] : vErrors.push(err75), errors++;
          }
        }
        if (data14.data !== void 0) {
          let data21 = data14.data;
          if (data21 && typeof data21 == "object" && !Array.isArray(data21)) {
            if (data21.soft === void 0) {
              let err76 = { instancePath: instancePath + "/ulimits/data", schemaPath: "#/properties/ulimits/properties/data/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err76] : vErrors.push(err76), errors++;
            }
            if (data21.hard === void 0) {
              let err77 = { instancePath: instancePath + "/ulimits/data", schemaPath: "#/properties/ulimits/properties/data/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err77] : vErrors.push(err77), errors++;
            }
            for (let key5 in data21)
              if (!(key5 === "soft" || key5 === "hard")) {
                let err78 = { instancePath: instancePath + "/ulimits/data", schemaPath: "#/properties/ulimits/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err78] : vErrors.push(err78), errors++;
              }
            if (data21.soft !== void 0) {
              let data22 = data21.soft;
              if (!(typeof data22 == "number" && !(data22 % 1) && !isNaN(data22) && isFinite(data22))) {
                let err79 = { instancePath: instancePath + "/ulimits/data/soft", schemaPath: "#/properties/ulimits/properties/data/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err79] : vErrors.push(err79), errors++;
              }
              if (typeof data22 == "number" && isFinite(data22)) {
                if (data22 > 999999999999999 || isNaN(data22)) {
                  let err80 = { instancePath: instancePath + "/ulimits/data/soft", schemaPath: "#/properties/ulimits/properties/data/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err80] : vErrors.push(err80), errors++;
                }
                if (data22 < -1 || isNaN(data22)) {
                  let err81 = { instancePath: instancePath + "/ulimits/data/soft", schemaPath: "#/properties/ulimits/properties/data/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err81] : vErrors.push(err81), errors++;
                }
              }
            }
            if (data21.hard !== void 0) {
              let data23 = data21.hard;
              if (!(typeof data23 == "number" && !(data23 % 1) && !isNaN(data23) && isFinite(data23))) {
                let err82 = { instancePath: instancePath + "/ulimits/data/hard", schemaPath: "#/properties/ulimits/properties/data/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err82] : vErrors.push(err82), errors++;
              }
              if (typeof data23 == "number" && isFinite(data23)) {
                if (data23 > 999999999999999 || isNaN(data23)) {
                  let err83 = { instancePath: instancePath + "/ulimits/data/hard", schemaPath: "#/properties/ulimits/properties/data/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err83] : vErrors.push(err83), errors++;
                }
                if (data23 < -1 || isNaN(data23)) {
                  let err84 = { instancePath: instancePath + "/ulimits/data/hard", schemaPath: "#/properties/ulimits/properties/data/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err84] : vErrors.push(err84), errors++;
                }
              }
            }
          } else {
            let err85 = { instancePath: instancePath + "/ulimits/data", schemaPath: "#/properties/ulimits/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err85] : vErrors.push(err85), errors++;
          }
        }
        if (data14.fsize !== void 0) {
          let data24 = data14.fsize;
          if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
            if (data24.soft === void 0) {
              let err86 = { instancePath: instancePath + "/ulimits/fsize", schemaPath: "#/properties/ulimits/properties/fsize/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err86] : vErrors.push(err86), errors++;
            }
            if (data24.hard === void 0) {
              let err87 = { instancePath: instancePath + "/ulimits/fsize", schemaPath: "#/properties/ulimits/properties/fsize/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err87] : vErrors.push(err87), errors++;
            }
            for (let key6 in data24)
              if (!(key6 === "soft" || key6 === "hard")) {
                let err88 = { instancePath: instancePath + "/ulimits/fsize", schemaPath: "#/properties/ulimits/properties/fsize/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err88] : vErrors.push(err88), errors++;
              }
            if (data24.soft !== void 0) {
              let data25 = data24.soft;
              if (!(typeof data25 == "number" && !(data25 % 1) && !isNaN(data25) && isFinite(data25))) {
                let err89 = { instancePath: instancePath + "/ulimits/fsize/soft", schemaPath: "#/properties/ulimits/properties/fsize/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err89] : vErrors.push(err89), errors++;
              }
              if (typeof data25 == "number" && isFinite(data25)) {
                if (data25 > 999999999999999 || isNaN(data25)) {
                  let err90 = { instancePath: instancePath + "/ulimits/fsize/soft", schemaPath: "#/properties/ulimits/properties/fsize/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err90] : vErrors.push(err90), errors++;
                }
                if (data25 < -1 || isNaN(data25)) {
                  let err91 = { instancePath: instancePath + "/ulimits/fsize/soft", schemaPath: "#/properties/ulimits/properties/fsize/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err91] : vErrors.push(err91), errors++;
                }
              }
            }
            if (data24.hard !== void 0) {
              let data26 = data24.hard;
              if (!(typeof data26 == "number" && !(data26 % 1) && !isNaN(data26) && isFinite(data26))) {
                let err92 = { instancePath: instancePath + "/ulimits/fsize/hard", schemaPath: "#/properties/ulimits/properties/fsize/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err92] : vErrors.push(err92), errors++;
              }
              if (typeof data26 == "number" && isFinite(data26)) {
                if (data26 > 999999999999999 || isNaN(data26)) {
                  let err93 = { instancePath: instancePath + "/ulimits/fsize/hard", schemaPath: "#/properties/ulimits/properties/fsize/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err93] : vErrors.push(err93), errors++;
                }
                if (data26 < -1 || isNaN(data26)) {
                  let err94 = { instancePath: instancePath + "/ulimits/fsize/hard", schemaPath: "#/properties/ulimits/properties/fsize/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err94] : vErrors.push(err94), errors++;
                }
              }
            }
          } else {
            let err95 = { instancePath: instancePath + "/ulimits/fsize", schemaPath: "#/properties/ulimits/properties/fsize/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err95] : vErrors.push(err95), errors++;
          }
        }
        if (data14.locks !== void 0) {
          let data27 = data14.locks;
          if (data27 && typeof data27 == "object" && !Array.isArray(data27)) {
            if (data27.soft === void 0) {
              let err96 = { instancePath: instancePath + "/ulimits/locks", schemaPath: "#/properties/ulimits/properties/locks/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err96] : vErrors.push(err96), errors++;
            }
            if (data27.hard === void 0) {
              let err97 = { instancePath: instancePath + "/ulimits/locks", schemaPath: "#/properties/ulimits/properties/locks/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err97] : vErrors.push(err97), errors++;
            }
            for (let key7 in data27)
              if (!(key7 === "soft" || key7 === "hard")) {
                let err98 = { instancePath: instancePath + "/ulimits/locks", schemaPath: "#/properties/ulimits/properties/locks/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err98] : vErrors.push(err98), errors++;
              }
            if (data27.soft !== void 0) {
              let data28 = data27.soft;
              if (!(typeof data28 == "number" && !(data28 % 1) && !isNaN(data28) && isFinite(data28))) {
                let err99 = { instancePath: instancePath + "/ulimits/locks/soft", schemaPath: "#/properties/ulimits/properties/locks/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err99] : vErrors.push(err99), errors++;
              }
              if (typeof data28 == "number" && isFinite(data28)) {
                if (data28 > 999999999999999 || isNaN(data28)) {
                  let err100 = { instancePath: instancePath + "/ulimits/locks/soft", schemaPath: "#/properties/ulimits/properties/locks/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err100] : vErrors.push(err100), errors++;
                }
                if (data28 < -1 || isNaN(data28)) {
                  let err101 = { instancePath: instancePath + "/ulimits/locks/soft", schemaPath: "#/properties/ulimits/properties/locks/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err101] : vErrors.push(err101), errors++;
                }
              }
            }
            if (data27.hard !== void 0) {
              let data29 = data27.hard;
              if (!(typeof data29 == "number" && !(data29 % 1) && !isNaN(data29) && isFinite(data29))) {
                let err102 = { instancePath: instancePath + "/ulimits/locks/hard", schemaPath: "#/properties/ulimits/properties/locks/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err102] : vErrors.push(err102), errors++;
              }
              if (typeof data29 == "number" && isFinite(data29)) {
                if (data29 > 999999999999999 || isNaN(data29)) {
                  let err103 = { instancePath: instancePath + "/ulimits/locks/hard", schemaPath: "#/properties/ulimits/properties/locks/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err103] : vErrors.push(err103), errors++;
                }
                if (data29 < -1 || isNaN(data29)) {
                  let err104 = { instancePath: instancePath + "/ulimits/locks/hard", schemaPath: "#/properties/ulimits/properties/locks/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err104] : vErrors.push(err104), errors++;
                }
              }
            }
          } else {
            let err105 = { instancePath: instancePath + "/ulimits/locks", schemaPath: "#/properties/ulimits/properties/locks/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err105] : vErrors.push(err105), errors++;
          }
        }
        if (data14.memlock !== void 0) {
          let data30 = data14.memlock;
          if (data30 && typeof data30 == "object" && !Array.isArray(data30)) {
            if (data30.soft === void 0) {
              let err106 = { instancePath: instancePath + "/ulimits/memlock", schemaPath: "#/properties/ulimits/properties/memlock/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err106] : vErrors.push(err106), errors++;
            }
            if (data30.hard === void 0) {
              let err107 = { instancePath: instancePath + "/ulimits/memlock", schemaPath: "#/properties/ulimits/properties/memlock/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err107] : vErrors.push(err107), errors++;
            }
            for (let key8 in data30)
              if (!(key8 === "soft" || key8 === "hard")) {
                let err108 = { instancePath: instancePath + "/ulimits/memlock", schemaPath: "#/properties/ulimits/properties/memlock/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err108] : vErrors.push(err108), errors++;
              }
            if (data30.soft !== void 0) {
              let data31 = data30.soft;
              if (!(typeof data31 == "number" && !(data31 % 1) && !isNaN(data31) && isFinite(data31))) {
                let err109 = { instancePath: instancePath + "/ulimits/memlock/soft", schemaPath: "#/properties/ulimits/properties/memlock/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err109] : vErrors.push(err109), errors++;
              }
              if (typeof data31 == "number" && isFinite(data31)) {
                if (data31 > 999999999999999 || isNaN(data31)) {
                  let err110 = { instancePath: instancePath + "/ulimits/memlock/soft", schemaPath: "#/properties/ulimits/properties/memlock/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err110] : vErrors.push(err110), errors++;
                }
                if (data31 < -1 || isNaN(data31)) {
                  let err111 = { instancePath: instancePath + "/ulimits/memlock/soft", schemaPath: "#/properties/ulimits/properties/memlock/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err111] : vErrors.push(err111), errors++;
                }
              }
            }
            if (data30.hard !== void 0) {
              let data32 = data30.hard;
              if (!(typeof data32 == "number" && !(data32 % 1) && !isNaN(data32) && isFinite(data32))) {
                let err112 = { instancePath: instancePath + "/ulimits/memlock/hard", schemaPath: "#/properties/ulimits/properties/memlock/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err112] : vErrors.push(err112), errors++;
              }
              if (typeof data32 == "number" && isFinite(data32)) {
                if (data32 > 999999999999999 || isNaN(data32)) {
                  let err113 = { instancePath: instancePath + "/ulimits/memlock/hard", schemaPath: "#/properties/ulimits/properties/memlock/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err113] : vErrors.push(err113), errors++;
                }
                if (data32 < -1 || isNaN(data32)) {
                  let err114 = { instancePath: instancePath + "/ulimits/memlock/hard", schemaPath: "#/properties/ulimits/properties/memlock/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err114] : vErrors.push(err114), errors++;
                }
              }
            }
          } else {
            let err115 = { instancePath: instancePath + "/ulimits/memlock", schemaPath: "#/properties/ulimits/properties/memlock/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err115] : vErrors.push(err115), errors++;
          }
        }
        if (data14.msgqueue !== void 0) {
          let data33 = data14.msgqueue;
          if (data33 && typeof data33 == "object" && !Array.isArray(data33)) {
            if (data33.soft === void 0) {
              let err116 = { instancePath: instancePath + "/ulimits/msgqueue", schemaPath: "#/properties/ulimits/properties/msgqueue/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err116] : vErrors.push(err116), errors++;
            }
            if (data33.hard === void 0) {
              let err117 = { instancePath: instancePath + "/ulimits/msgqueue", schemaPath: "#/properties/ulimits/properties/msgqueue/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err117] : vErrors.push(err117), errors++;
            }
            for (let key9 in data33)
              if (!(key9 === "soft" || key9 === "hard")) {
                let err118 = { instancePath: instancePath + "/ulimits/msgqueue", schemaPath: "#/properties/ulimits/properties/msgqueue/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err118] : vErrors.push(err118), errors++;
              }
            if (data33.soft !== void 0) {
              let data34 = data33.soft;
              if (!(typeof data34 == "number" && !(data34 % 1) && !isNaN(data34) && isFinite(data34))) {
                let err119 = { instancePath: instancePath + "/ulimits/msgqueue/soft", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err119] : vErrors.push(err119), errors++;
              }
              if (typeof data34 == "number" && isFinite(data34)) {
                if (data34 > 999999999999999 || isNaN(data34)) {
                  let err120 = { instancePath: instancePath + "/ulimits/msgqueue/soft", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err120] : vErrors.push(err120), errors++;
                }
                if (data34 < -1 || isNaN(data34)) {
                  let err121 = { instancePath: instancePath + "/ulimits/msgqueue/soft", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err121] : vErrors.push(err121), errors++;
                }
              }
            }
            if (data33.hard !== void 0) {
              let data35 = data33.hard;
              if (!(typeof data35 == "number" && !(data35 % 1) && !isNaN(data35) && isFinite(data35))) {
                let err122 = { instancePath: instancePath + "/ulimits/msgqueue/hard", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err122] : vErrors.push(err122), errors++;
              }
              if (typeof data35 == "number" && isFinite(data35)) {
                if (data35 > 999999999999999 || isNaN(data35)) {
                  let err123 = { instancePath: instancePath + "/ulimits/msgqueue/hard", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err123] : vErrors.push(err123), errors++;
                }
                if (data35 < -1 || isNaN(data35)) {
                  let err124 = { instancePath: instancePath + "/ulimits/msgqueue/hard", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err124] : vErrors.push(err124), errors++;
                }
              }
            }
          } else {
            let err125 = { instancePath: instancePath + "/ulimits/msgqueue", schemaPath: "#/properties/ulimits/properties/msgqueue/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err125] : vErrors.push(err125), errors++;
          }
        }
        if (data14.nice !== void 0) {
          let data36 = data14.nice;
          if (data36 && typeof data36 == "object" && !Array.isArray(data36)) {
            if (data36.soft === void 0) {
              let err126 = { instancePath: instancePath + "/ulimits/nice", schemaPath: "#/properties/ulimits/properties/nice/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err126] : vErrors.push(err126), errors++;
            }
            if (data36.hard === void 0) {
              let err127 = { instancePath: instancePath + "/ulimits/nice", schemaPath: "#/properties/ulimits/properties/nice/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err127] : vErrors.push(err127), errors++;
            }
            for (let key10 in data36)
              if (!(key10 === "soft" || key10 === "hard")) {
                let err128 = { instancePath: instancePath + "/ulimits/nice", schemaPath: "#/properties/ulimits/properties/nice/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err128] : vErrors.push(err128), errors++;
              }
            if (data36.soft !== void 0) {
              let data37 = data36.soft;
              if (!(typeof data37 == "number" && !(data37 % 1) && !isNaN(data37) && isFinite(data37))) {
                let err129 = { instancePath: instancePath + "/ulimits/nice/soft", schemaPath: "#/properties/ulimits/properties/nice/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err129] : vErrors.push(err129), errors++;
              }
              if (typeof data37 == "number" && isFinite(data37)) {
                if (data37 > 999999999999999 || isNaN(data37)) {
                  let err130 = { instancePath: instancePath + "/ulimits/nice/soft", schemaPath: "#/properties/ulimits/properties/nice/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err130] : vErrors.push(err130), errors++;
                }
                if (data37 < -1 || isNaN(data37)) {
                  let err131 = { instancePath: instancePath + "/ulimits/nice/soft", schemaPath: "#/properties/ulimits/properties/nice/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err131] : vErrors.push(err131), errors++;
                }
              }
            }
            if (data36.hard !== void 0) {
              let data38 = data36.hard;
              if (!(typeof data38 == "number" && !(data38 % 1) && !isNaN(data38) && isFinite(data38))) {
                let err132 = { instancePath: instancePath + "/ulimits/nice/hard", schemaPath: "#/properties/ulimits/properties/nice/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err132] : vErrors.push(err132), errors++;
              }
              if (typeof data38 == "number" && isFinite(data38)) {
                if (data38 > 999999999999999 || isNaN(data38)) {
                  let err133 = { instancePath: instancePath + "/ulimits/nice/hard", schemaPath: "#/properties/ulimits/properties/nice/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err133] : vErrors.push(err133), errors++;
                }
                if (data38 < -1 || isNaN(data38)) {
                  let err134 = { instancePath: instancePath + "/ulimits/nice/hard", schemaPath: "#/properties/ulimits/properties/nice/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err134] : vErrors.push(err134), errors++;
                }
              }
            }
          } else {
            let err135 = { instancePath: instancePath + "/ulimits/nice", schemaPath: "#/properties/ulimits/properties/nice/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err135] : vErrors.push(err135), errors++;
          }
        }
        if (data14.nofile !== void 0) {
          let data39 = data14.nofile;
          if (data39 && typeof data39 == "object" && !Array.isArray(data39)) {
            if (data39.soft === void 0) {
              let err136 = { instancePath: instancePath + "/ulimits/nofile", schemaPath: "#/properties/ulimits/properties/nofile/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err136] : vErrors.push(err136), errors++;
            }
            if (data39.hard === void 0) {
              let err137 = { instancePath: instancePath + "/ulimits/nofile", schemaPath: "#/properties/ulimits/properties/nofile/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err137] : vErrors.push(err137), errors++;
            }
            for (let key11 in data39)
              if (!(key11 === "soft" || key11 === "hard")) {
                let err138 = { instancePath: instancePath + "/ulimits/nofile", schemaPath: "#/properties/ulimits/properties/nofile/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err138] : vErrors.push(err138), errors++;
              }
            if (data39.soft !== void 0) {
              let data40 = data39.soft;
              if (!(typeof data40 == "number" && !(data40 % 1) && !isNaN(data40) && isFinite(data40))) {
                let err139 = { instancePath: instancePath + "/ulimits/nofile/soft", schemaPath: "#/properties/ulimits/properties/nofile/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err139] : vErrors.push(err139), errors++;
              }
              if (typeof data40 == "number" && isFinite(data40)) {
                if (data40 > 999999999999999 || isNaN(data40)) {
                  let err140 = { instancePath: instancePath + "/ulimits/nofile/soft", schemaPath: "#/properties/ulimits/properties/nofile/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err140] : vErrors.push(err140), errors++;
                }
                if (data40 < -1 || isNaN(data40)) {
                  let err141 = { instancePath: instancePath + "/ulimits/nofile/soft", schemaPath: "#/properties/ulimits/properties/nofile/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err141] : vErrors.push(err141), errors++;
                }
              }
            }
            if (data39.hard !== void 0) {
              let data41 = data39.hard;
              if (!(typeof data41 == "number" && !(data41 % 1) && !isNaN(data41) && isFinite(data41))) {
                let err142 = { instancePath: instancePath + "/ulimits/nofile/hard", schemaPath: "#/properties/ulimits/properties/nofile/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err142] : vErrors.push(err142), errors++;
              }
              if (typeof data41 == "number" && isFinite(data41)) {
                if (data41 > 999999999999999 || isNaN(data41)) {
                  let err143 = { instancePath: instancePath + "/ulimits/nofile/hard", schemaPath: "#/properties/ulimits/properties/nofile/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err143] : vErrors.push(err143), errors++;
                }
                if (data41 < -1 || isNaN(data41)) {
                  let err144 = { instancePath: instancePath + "/ulimits/nofile/hard", schemaPath: "#/properties/ulimits/properties/nofile/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err144] : vErrors.push(err144), errors++;
                }
              }
            }
          } else {
            let err145 = { instancePath: instancePath + "/ulimits/nofile", schemaPath: "#/properties/ulimits/properties/nofile/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err145] : vErrors.push(err145), errors++;
          }
        }
        if (data14.nproc !== void 0) {
          let data42 = data14.nproc;
          if (data42 && typeof data42 == "object" && !Array.isArray(data42)) {
            if (data42.soft === void 0) {
              let err146 = { instancePath: instancePath + "/ulimits/nproc", schemaPath: "#/properties/ulimits/properties/nproc/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err146] : vErrors.push(err146), errors++;
            }
            if (data42.hard === void 0) {
              let err147 = { instancePath: instancePath + "/ulimits/nproc", schemaPath: "#/properties/ulimits/properties/nproc/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err147] : vErrors.push(err147), errors++;
            }
            for (let key12 in data42)
              if (!(key12 === "soft" || key12 === "hard")) {
                let err148 = { instancePath: instancePath + "/ulimits/nproc", schemaPath: "#/properties/ulimits/properties/nproc/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err148] : vErrors.push(err148), errors++;
              }
            if (data42.soft !== void 0) {
              let data43 = data42.soft;
              if (!(typeof data43 == "number" && !(data43 % 1) && !isNaN(data43) && isFinite(data43))) {
                let err149 = { instancePath: instancePath + "/ulimits/nproc/soft", schemaPath: "#/properties/ulimits/properties/nproc/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err149] : vErrors.push(err149), errors++;
              }
              if (typeof data43 == "number" && isFinite(data43)) {
                if (data43 > 999999999999999 || isNaN(data43)) {
                  let err150 = { instancePath: instancePath + "/ulimits/nproc/soft", schemaPath: "#/properties/ulimits/properties/nproc/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err150] : vErrors.push(err150), errors++;
                }
                if (data43 < -1 || isNaN(data43)) {
                  let err151 = { instancePath: instancePath + "/ulimits/nproc/soft", schemaPath: "#/properties/ulimits/properties/nproc/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err151] : vErrors.push(err151), errors++;
                }
              }
            }
            if (data42.hard !== void 0) {
              let data44 = data42.hard;
              if (!(typeof data44 == "number" && !(data44 % 1) && !isNaN(data44) && isFinite(data44))) {
                let err152 = { instancePath: instancePath + "/ulimits/nproc/hard", schemaPath: "#/properties/ulimits/properties/nproc/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err152] : vErrors.push(err152), errors++;
              }
              if (typeof data44 == "number" && isFinite(data44)) {
                if (data44 > 999999999999999 || isNaN(data44)) {
                  let err153 = { instancePath: instancePath + "/ulimits/nproc/hard", schemaPath: "#/properties/ulimits/properties/nproc/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err153] : vErrors.push(err153), errors++;
                }
                if (data44 < -1 || isNaN(data44)) {
                  let err154 = { instancePath: instancePath + "/ulimits/nproc/hard", schemaPath: "#/properties/ulimits/properties/nproc/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err154] : vErrors.push(err154), errors++;
                }
              }
            }
          } else {
            let err155 = { instancePath: instancePath + "/ulimits/nproc", schemaPath: "#/properties/ulimits/properties/nproc/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err155] : vErrors.push(err155), errors++;
          }
        }
        if (data14.rss !== void 0) {
          let data45 = data14.rss;
          if (data45 && typeof data45 == "object" && !Array.isArray(data45)) {
            if (data45.soft === void 0) {
              let err156 = { instancePath: instancePath + "/ulimits/rss", schemaPath: "#/properties/ulimits/properties/rss/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err156] : vErrors.push(err156), errors++;
            }
            if (data45.hard === void 0) {
              let err157 = { instancePath: instancePath + "/ulimits/rss", schemaPath: "#/properties/ulimits/properties/rss/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err157] : vErrors.push(err157), errors++;
            }
            for (let key13 in data45)
              if (!(key13 === "soft" || key13 === "hard")) {
                let err158 = { instancePath: instancePath + "/ulimits/rss", schemaPath: "#/properties/ulimits/properties/rss/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err158] : vErrors.push(err158), errors++;
              }
            if (data45.soft !== void 0) {
              let data46 = data45.soft;
              if (!(typeof data46 == "number" && !(data46 % 1) && !isNaN(data46) && isFinite(data46))) {
                let err159 = { instancePath: instancePath + "/ulimits/rss/soft", schemaPath: "#/properties/ulimits/properties/rss/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err159] : vErrors.push(err159), errors++;
              }
              if (typeof data46 == "number" && isFinite(data46)) {
                if (data46 > 999999999999999 || isNaN(data46)) {
                  let err160 = { instancePath: instancePath + "/ulimits/rss/soft", schemaPath: "#/properties/ulimits/properties/rss/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err160] : vErrors.push(err160), errors++;
                }
                if (data46 < -1 || isNaN(data46)) {
                  let err161 = { instancePath: instancePath + "/ulimits/rss/soft", schemaPath: "#/properties/ulimits/properties/rss/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err161] : vErrors.push(err161), errors++;
                }
              }
            }
            if (data45.hard !== void 0) {
              let data47 = data45.hard;
              if (!(typeof data47 == "number" && !(data47 % 1) && !isNaN(data47) && isFinite(data47))) {
                let err162 = { instancePath: instancePath + "/ulimits/rss/hard", schemaPath: "#/properties/ulimits/properties/rss/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err162] : vErrors.push(err162), errors++;
              }
              if (typeof data47 == "number" && isFinite(data47)) {
                if (data47 > 999999999999999 || isNaN(data47)) {
                  let err163 = { instancePath: instancePath + "/ulimits/rss/hard", schemaPath: "#/properties/ulimits/properties/rss/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err163] : vErrors.push(err163), errors++;
                }
                if (data47 < -1 || isNaN(data47)) {
                  let err164 = { instancePath: instancePath + "/ulimits/rss/hard", schemaPath: "#/properties/ulimits/properties/rss/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err164] : vErrors.push(err164), errors++;
                }
              }
            }
          } else {
            let err165 = { instancePath: instancePath + "/ulimits/rss", schemaPath: "#/properties/ulimits/properties/rss/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err165] : vErrors.push(err165), errors++;
          }
        }
        if (data14.rtprio !== void 0) {
          let data48 = data14.rtprio;
          if (data48 && typeof data48 == "object" && !Array.isArray(data48)) {
            if (data48.soft === void 0) {
              let err166 = { instancePath: instancePath + "/ulimits/rtprio", schemaPath: "#/properties/ulimits/properties/rtprio/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err166] : vErrors.push(err166), errors++;
            }
            if (data48.hard === void 0) {
              let err167 = { instancePath: instancePath + "/ulimits/rtprio", schemaPath: "#/properties/ulimits/properties/rtprio/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err167] : vErrors.push(err167), errors++;
            }
            for (let key14 in data48)
              if (!(key14 === "soft" || key14 === "hard")) {
                let err168 = { instancePath: instancePath + "/ulimits/rtprio", schemaPath: "#/properties/ulimits/properties/rtprio/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key14 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err168] : vErrors.push(err168), errors++;
              }
            if (data48.soft !== void 0) {
              let data49 = data48.soft;
              if (!(typeof data49 == "number" && !(data49 % 1) && !isNaN(data49) && isFinite(data49))) {
                let err169 = { instancePath: instancePath + "/ulimits/rtprio/soft", schemaPath: "#/properties/ulimits/properties/rtprio/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err169] : vErrors.push(err169), errors++;
              }
              if (typeof data49 == "number" && isFinite(data49)) {
                if (data49 > 999999999999999 || isNaN(data49)) {
                  let err170 = { instancePath: instancePath + "/ulimits/rtprio/soft", schemaPath: "#/properties/ulimits/properties/rtprio/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err170] : vErrors.push(err170), errors++;
                }
                if (data49 < -1 || isNaN(data49)) {
                  let err171 = { instancePath: instancePath + "/ulimits/rtprio/soft", schemaPath: "#/properties/ulimits/properties/rtprio/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err171] : vErrors.push(err171), errors++;
                }
              }
            }
            if (data48.hard !== void 0) {
              let data50 = data48.hard;
              if (!(typeof data50 == "number" && !(data50 % 1) && !isNaN(data50) && isFinite(data50))) {
                let err172 = { instancePath: instancePath + "/ulimits/rtprio/hard", schemaPath: "#/properties/ulimits/properties/rtprio/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err172] : vErrors.push(err172), errors++;
              }
              if (typeof data50 == "number" && isFinite(data50)) {
                if (data50 > 999999999999999 || isNaN(data50)) {
                  let err173 = { instancePath: instancePath + "/ulimits/rtprio/hard", schemaPath: "#/properties/ulimits/properties/rtprio/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err173] : vErrors.push(err173), errors++;
                }
                if (data50 < -1 || isNaN(data50)) {
                  let err174 = { instancePath: instancePath + "/ulimits/rtprio/hard", schemaPath: "#/properties/ulimits/properties/rtprio/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err174] : vErrors.push(err174), errors++;
                }
              }
            }
          } else {
            let err175 = { instancePath: instancePath + "/ulimits/rtprio", schemaPath: "#/properties/ulimits/properties/rtprio/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err175] : vErrors.push(err175), errors++;
          }
        }
        if (data14.sigpending !== void 0) {
          let data51 = data14.sigpending;
          if (data51 && typeof data51 == "object" && !Array.isArray(data51)) {
            if (data51.soft === void 0) {
              let err176 = { instancePath: instancePath + "/ulimits/sigpending", schemaPath: "#/properties/ulimits/properties/sigpending/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err176] : vErrors.push(err176), errors++;
            }
            if (data51.hard === void 0) {
              let err177 = { instancePath: instancePath + "/ulimits/sigpending", schemaPath: "#/properties/ulimits/properties/sigpending/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err177] : vErrors.push(err177), errors++;
            }
            for (let key15 in data51)
              if (!(key15 === "soft" || key15 === "hard")) {
                let err178 = { instancePath: instancePath + "/ulimits/sigpending", schemaPath: "#/properties/ulimits/properties/sigpending/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key15 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err178] : vErrors.push(err178), errors++;
              }
            if (data51.soft !== void 0) {
              let data52 = data51.soft;
              if (!(typeof data52 == "number" && !(data52 % 1) && !isNaN(data52) && isFinite(data52))) {
                let err179 = { instancePath: instancePath + "/ulimits/sigpending/soft", schemaPath: "#/properties/ulimits/properties/sigpending/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err179] : vErrors.push(err179), errors++;
              }
              if (typeof data52 == "number" && isFinite(data52)) {
                if (data52 > 999999999999999 || isNaN(data52)) {
                  let err180 = { instancePath: instancePath + "/ulimits/sigpending/soft", schemaPath: "#/properties/ulimits/properties/sigpending/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err180] : vErrors.push(err180), errors++;
                }
                if (data52 < -1 || isNaN(data52)) {
                  let err181 = { instancePath: instancePath + "/ulimits/sigpending/soft", schemaPath: "#/properties/ulimits/properties/sigpending/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err181] : vErrors.push(err181), errors++;
                }
              }
            }
            if (data51.hard !== void 0) {
              let data53 = data51.hard;
              if (!(typeof data53 == "number" && !(data53 % 1) && !isNaN(data53) && isFinite(data53))) {
                let err182 = { instancePath: instancePath + "/ulimits/sigpending/hard", schemaPath: "#/properties/ulimits/properties/sigpending/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err182] : vErrors.push(err182), errors++;
              }
              if (typeof data53 == "number" && isFinite(data53)) {
                if (data53 > 999999999999999 || isNaN(data53)) {
                  let err183 = { instancePath: instancePath + "/ulimits/sigpending/hard", schemaPath: "#/properties/ulimits/properties/sigpending/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err183] : vErrors.push(err183), errors++;
                }
                if (data53 < -1 || isNaN(data53)) {
                  let err184 = { instancePath: instancePath + "/ulimits/sigpending/hard", schemaPath: "#/properties/ulimits/properties/sigpending/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err184] : vErrors.push(err184), errors++;
                }
              }
            }
          } else {
            let err185 = { instancePath: instancePath + "/ulimits/sigpending", schemaPath: "#/properties/ulimits/properties/sigpending/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err185] : vErrors.push(err185), errors++;
          }
        }
        if (data14.stack !== void 0) {
          let data54 = data14.stack;
          if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
            if (data54.soft === void 0) {
              let err186 = { instancePath: instancePath + "/ulimits/stack", schemaPath: "#/properties/ulimits/properties/stack/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err186] : vErrors.push(err186), errors++;
            }
            if (data54.hard === void 0) {
              let err187 = { instancePath: instancePath + "/ulimits/stack", schemaPath: "#/properties/ulimits/properties/stack/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err187] : vErrors.push(err187), errors++;
            }
            for (let key16 in data54)
              if (!(key16 === "soft" || key16 === "hard")) {
                let err188 = { instancePath: instancePath + "/ulimits/stack", schemaPath: "#/properties/ulimits/properties/stack/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key16 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err188] : vErrors.push(err188), errors++;
              }
            if (data54.soft !== void 0) {
              let data55 = data54.soft;
              if (!(typeof data55 == "number" && !(data55 % 1) && !isNaN(data55) && isFinite(data55))) {
                let err189 = { instancePath: instancePath + "/ulimits/stack/soft", schemaPath: "#/properties/ulimits/properties/stack/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err189] : vErrors.push(err189), errors++;
              }
              if (typeof data55 == "number" && isFinite(data55)) {
                if (data55 > 999999999999999 || isNaN(data55)) {
                  let err190 = { instancePath: instancePath + "/ulimits/stack/soft", schemaPath: "#/properties/ulimits/properties/stack/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err190] : vErrors.push(err190), errors++;
                }
                if (data55 < -1 || isNaN(data55)) {
                  let err191 = { instancePath: instancePath + "/ulimits/stack/soft", schemaPath: "#/properties/ulimits/properties/stack/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err191] : vErrors.push(err191), errors++;
                }
              }
            }
            if (data54.hard !== void 0) {
              let data56 = data54.hard;
              if (!(typeof data56 == "number" && !(data56 % 1) && !isNaN(data56) && isFinite(data56))) {
                let err192 = { instancePath: instancePath + "/ulimits/stack/hard", schemaPath: "#/properties/ulimits/properties/stack/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err192] : vErrors.push(err192), errors++;
              }
              if (typeof data56 == "number" && isFinite(data56)) {
                if (data56 > 999999999999999 || isNaN(data56)) {
                  let err193 = { instancePath: instancePath + "/ulimits/stack/hard", schemaPath: "#/properties/ulimits/properties/stack/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err193] : vErrors.push(err193), errors++;
                }
                if (data56 < -1 || isNaN(data56)) {
                  let err194 = { instancePath: instancePath + "/ulimits/stack/hard", schemaPath: "#/properties/ulimits/properties/stack/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err194] : vErrors.push(err194), errors++;
                }
              }
            }
          } else {
            let err195 = { instancePath: instancePath + "/ulimits/stack", schemaPath: "#/properties/ulimits/properties/stack/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err195] : vErrors.push(err195), errors++;
          }
        }
      } else {
        let err196 = { instancePath: instancePath + "/ulimits", schemaPath: "#/properties/ulimits/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err196] : vErrors.push(err196), errors++;
      }
    }
    if (data.shm_size !== void 0) {
      let data57 = data.shm_size;
      if (!(typeof data57 == "number" && !(data57 % 1) && !isNaN(data57) && isFinite(data57))) {
        let err197 = { instancePath: instancePath + "/shm_size", schemaPath: "#/properties/shm_size/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err197] : vErrors.push(err197), errors++;
      }
      if (typeof data57 == "number" && isFinite(data57)) {
        if (data57 > 1048576 || isNaN(data57)) {
          let err198 = { instancePath: instancePath + "/shm_size", schemaPath: "#/properties/shm_size/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
          vErrors === null ? vErrors = [err198] : vErrors.push(err198), errors++;
        }
        if (data57 < 1 || isNaN(data57)) {
          let err199 = { instancePath: instancePath + "/shm_size", schemaPath: "#/properties/shm_size/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err199] : vErrors.push(err199), errors++;
        }
      }
    }
    if (data.command !== void 0) {
      let data58 = data.command;
      if (Array.isArray(data58)) {
        let len1 = data58.length;
        for (let i1 = 0; i1 < len1; i1++)
          if (typeof data58[i1] != "string") {
            let err200 = { instancePath: instancePath + "/command/" + i1, schemaPath: "#/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err200] : vErrors.push(err200), errors++;
          }
      } else {
        let err201 = { instancePath: instancePath + "/command", schemaPath: "#/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err201] : vErrors.push(err201), errors++;
      }
    }
    if (data.entrypoint !== void 0) {
      let data60 = data.entrypoint;
      if (Array.isArray(data60)) {
        let len2 = data60.length;
        for (let i2 = 0; i2 < len2; i2++)
          if (typeof data60[i2] != "string") {
            let err202 = { instancePath: instancePath + "/entrypoint/" + i2, schemaPath: "#/properties/entrypoint/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err202] : vErrors.push(err202), errors++;
          }
      } else {
        let err203 = { instancePath: instancePath + "/entrypoint", schemaPath: "#/properties/entrypoint/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err203] : vErrors.push(err203), errors++;
      }
    }
    if (data.init_steps !== void 0) {
      let data62 = data.init_steps;
      if (Array.isArray(data62)) {
        if (data62.length > 20) {
          let err204 = { instancePath: instancePath + "/init_steps", schemaPath: "#/properties/init_steps/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err204] : vErrors.push(err204), errors++;
        }
        if (data62.length < 1) {
          let err205 = { instancePath: instancePath + "/init_steps", schemaPath: "#/properties/init_steps/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
          vErrors === null ? vErrors = [err205] : vErrors.push(err205), errors++;
        }
        let len3 = data62.length;
        for (let i3 = 0; i3 < len3; i3++) {
          let data63 = data62[i3];
          if (data63 && typeof data63 == "object" && !Array.isArray(data63)) {
            if (data63.command === void 0) {
              let err206 = { instancePath: instancePath + "/init_steps/" + i3, schemaPath: "#/properties/init_steps/items/required", keyword: "required", params: { missingProperty: "command" }, message: "must have required property 'command'" };
              vErrors === null ? vErrors = [err206] : vErrors.push(err206), errors++;
            }
            for (let key17 in data63)
              if (key17 !== "command") {
                let err207 = { instancePath: instancePath + "/init_steps/" + i3, schemaPath: "#/properties/init_steps/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key17 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err207] : vErrors.push(err207), errors++;
              }
            if (data63.command !== void 0) {
              let data64 = data63.command;
              if (Array.isArray(data64)) {
                if (data64.length < 1) {
                  let err208 = { instancePath: instancePath + "/init_steps/" + i3 + "/command", schemaPath: "#/properties/init_steps/items/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                  vErrors === null ? vErrors = [err208] : vErrors.push(err208), errors++;
                }
                let len4 = data64.length;
                for (let i4 = 0; i4 < len4; i4++)
                  if (typeof data64[i4] != "string") {
                    let err209 = { instancePath: instancePath + "/init_steps/" + i3 + "/command/" + i4, schemaPath: "#/properties/init_steps/items/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err209] : vErrors.push(err209), errors++;
                  }
              } else {
                let err210 = { instancePath: instancePath + "/init_steps/" + i3 + "/command", schemaPath: "#/properties/init_steps/items/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                vErrors === null ? vErrors = [err210] : vErrors.push(err210), errors++;
              }
            }
          } else {
            let err211 = { instancePath: instancePath + "/init_steps/" + i3, schemaPath: "#/properties/init_steps/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err211] : vErrors.push(err211), errors++;
          }
        }
      } else {
        let err212 = { instancePath: instancePath + "/init_steps", schemaPath: "#/properties/init_steps/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err212] : vErrors.push(err212), errors++;
      }
    }
    if (data.init_timeout !== void 0) {
      let data66 = data.init_timeout;
      if (typeof data66 == "number" && isFinite(data66)) {
        if (data66 > 86400 || isNaN(data66)) {
          let err213 = { instancePath: instancePath + "/init_timeout", schemaPath: "#/properties/init_timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
          vErrors === null ? vErrors = [err213] : vErrors.push(err213), errors++;
        }
        if (data66 < 1 || isNaN(data66)) {
          let err214 = { instancePath: instancePath + "/init_timeout", schemaPath: "#/properties/init_timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err214] : vErrors.push(err214), errors++;
        }
      } else {
        let err215 = { instancePath: instancePath + "/init_timeout", schemaPath: "#/properties/init_timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
        vErrors === null ? vErrors = [err215] : vErrors.push(err215), errors++;
      }
    }
    if (data.environment !== void 0) {
      let data67 = data.environment;
      if (data67 && typeof data67 == "object" && !Array.isArray(data67)) {
        var props0 = {};
        for (let key18 in data67)
          if (pattern8.test(key18)) {
            if (typeof data67[key18] != "string") {
              let err216 = { instancePath: instancePath + "/environment/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environment/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err216] : vErrors.push(err216), errors++;
            }
            props0[key18] = !0;
          }
      } else {
        let err217 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err217] : vErrors.push(err217), errors++;
      }
    }
    if (data.user !== void 0) {
      let data69 = data.user;
      if (typeof data69 == "string") {
        if (func2(data69) < 1) {
          let err218 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err218] : vErrors.push(err218), errors++;
        }
        if (!pattern9.test(data69)) {
          let err219 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/pattern", keyword: "pattern", params: { pattern: "^[^\\s]+$" }, message: 'must match pattern "^[^\\s]+$"' };
          vErrors === null ? vErrors = [err219] : vErrors.push(err219), errors++;
        }
      } else {
        let err220 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err220] : vErrors.push(err220), errors++;
      }
    }
    if (data.group_add !== void 0) {
      let data70 = data.group_add;
      if (Array.isArray(data70)) {
        if (data70.length > 100) {
          let err221 = { instancePath: instancePath + "/group_add", schemaPath: "#/properties/group_add/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err221] : vErrors.push(err221), errors++;
        }
        let len5 = data70.length;
        for (let i5 = 0; i5 < len5; i5++) {
          let data71 = data70[i5];
          if (typeof data71 == "string") {
            if (func2(data71) > 100) {
              let err222 = { instancePath: instancePath + "/group_add/" + i5, schemaPath: "#/properties/group_add/items/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
              vErrors === null ? vErrors = [err222] : vErrors.push(err222), errors++;
            }
            if (!pattern10.test(data71)) {
              let err223 = { instancePath: instancePath + "/group_add/" + i5, schemaPath: "#/properties/group_add/items/pattern", keyword: "pattern", params: { pattern: "^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$" }, message: 'must match pattern "^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$"' };
              vErrors === null ? vErrors = [err223] : vErrors.push(err223), errors++;
            }
          } else {
            let err224 = { instancePath: instancePath + "/group_add/" + i5, schemaPath: "#/properties/group_add/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err224] : vErrors.push(err224), errors++;
          }
        }
      } else {
        let err225 = { instancePath: instancePath + "/group_add", schemaPath: "#/properties/group_add/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err225] : vErrors.push(err225), errors++;
      }
    }
    if (data.working_dir !== void 0) {
      let data72 = data.working_dir;
      if (typeof data72 == "string") {
        if (!pattern11.test(data72)) {
          let err226 = { instancePath: instancePath + "/working_dir", schemaPath: "#/properties/working_dir/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
          vErrors === null ? vErrors = [err226] : vErrors.push(err226), errors++;
        }
      } else {
        let err227 = { instancePath: instancePath + "/working_dir", schemaPath: "#/properties/working_dir/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err227] : vErrors.push(err227), errors++;
      }
    }
    if (data.hostname !== void 0) {
      let data73 = data.hostname;
      if (typeof data73 == "string") {
        if (func2(data73) > 253) {
          let err228 = { instancePath: instancePath + "/hostname", schemaPath: "#/properties/hostname/maxLength", keyword: "maxLength", params: { limit: 253 }, message: "must NOT have more than 253 characters" };
          vErrors === null ? vErrors = [err228] : vErrors.push(err228), errors++;
        }
        if (!pattern12.test(data73)) {
          let err229 = { instancePath: instancePath + "/hostname", schemaPath: "#/properties/hostname/pattern", keyword: "pattern", params: { pattern: "^(?:[A-Za-z0-9.-]|[^]*)+$" }, message: 'must match pattern "^(?:[A-Za-z0-9.-]|[^]*)+$"' };
          vErrors === null ? vErrors = [err229] : vErrors.push(err229), errors++;
        }
      } else {
        let err230 = { instancePath: instancePath + "/hostname", schemaPath: "#/properties/hostname/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err230] : vErrors.push(err230), errors++;
      }
    }
    if (data.extra_hosts !== void 0) {
      let data74 = data.extra_hosts;
      if (Array.isArray(data74)) {
        if (data74.length > 100) {
          let err231 = { instancePath: instancePath + "/extra_hosts", schemaPath: "#/properties/extra_hosts/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err231] : vErrors.push(err231), errors++;
        }
        let len6 = data74.length;
        for (let i6 = 0; i6 < len6; i6++) {
          let data75 = data74[i6];
          if (typeof data75 == "string") {
            if (!pattern13.test(data75)) {
              let err232 = { instancePath: instancePath + "/extra_hosts/" + i6, schemaPath: "#/properties/extra_hosts/items/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$" }, message: 'must match pattern "^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$"' };
              vErrors === null ? vErrors = [err232] : vErrors.push(err232), errors++;
            }
          } else {
            let err233 = { instancePath: instancePath + "/extra_hosts/" + i6, schemaPath: "#/properties/extra_hosts/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err233] : vErrors.push(err233), errors++;
          }
        }
      } else {
        let err234 = { instancePath: instancePath + "/extra_hosts", schemaPath: "#/properties/extra_hosts/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err234] : vErrors.push(err234), errors++;
      }
    }
    if (data.init !== void 0 && typeof data.init != "boolean") {
      let err235 = { instancePath: instancePath + "/init", schemaPath: "#/properties/init/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err235] : vErrors.push(err235), errors++;
    }
    if (data.read_only !== void 0 && typeof data.read_only != "boolean") {
      let err236 = { instancePath: instancePath + "/read_only", schemaPath: "#/properties/read_only/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err236] : vErrors.push(err236), errors++;
    }
    if (data.cap_add !== void 0) {
      let data78 = data.cap_add;
      if (Array.isArray(data78)) {
        if (data78.length > 50) {
          let err237 = { instancePath: instancePath + "/cap_add", schemaPath: "#/properties/cap_add/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
          vErrors === null ? vErrors = [err237] : vErrors.push(err237), errors++;
        }
        let len7 = data78.length;
        for (let i7 = 0; i7 < len7; i7++) {
          let data79 = data78[i7];
          if (typeof data79 != "string") {
            let err238 = { instancePath: instancePath + "/cap_add/" + i7, schemaPath: "#/properties/cap_add/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err238] : vErrors.push(err238), errors++;
          }
          if (!(data79 === "ALL" || data79 === "AUDIT_CONTROL" || data79 === "AUDIT_READ" || data79 === "AUDIT_WRITE" || data79 === "BLOCK_SUSPEND" || data79 === "BPF" || data79 === "CHECKPOINT_RESTORE" || data79 === "CHOWN" || data79 === "DAC_OVERRIDE" || data79 === "DAC_READ_SEARCH" || data79 === "FOWNER" || data79 === "FSETID" || data79 === "IPC_LOCK" || data79 === "IPC_OWNER" || data79 === "KILL" || data79 === "LEASE" || data79 === "LINUX_IMMUTABLE" || data79 === "MAC_ADMIN" || data79 === "MAC_OVERRIDE" || data79 === "MKNOD" || data79 === "NET_ADMIN" || data79 === "NET_BIND_SERVICE" || data79 === "NET_BROADCAST" || data79 === "NET_RAW" || data79 === "PERFMON" || data79 === "SETFCAP" || data79 === "SETGID" || data79 === "SETPCAP" || data79 === "SETUID" || data79 === "SYSLOG" || data79 === "SYS_ADMIN" || data79 === "SYS_BOOT" || data79 === "SYS_CHROOT" || data79 === "SYS_MODULE" || data79 === "SYS_NICE" || data79 === "SYS_PACCT" || data79 === "SYS_PTRACE" || data79 === "SYS_RAWIO" || data79 === "SYS_RESOURCE" || data79 === "SYS_TIME" || data79 === "SYS_TTY_CONFIG" || data79 === "WAKE_ALARM")) {
            let err239 = { instancePath: instancePath + "/cap_add/" + i7, schemaPath: "#/properties/cap_add/items/enum", keyword: "enum", params: { allowedValues: schema31.properties.cap_add.items.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err239] : vErrors.push(err239), errors++;
          }
        }
      } else {
        let err240 = { instancePath: instancePath + "/cap_add", schemaPath: "#/properties/cap_add/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err240] : vErrors.push(err240), errors++;
      }
    }
    if (data.cap_drop !== void 0) {
      let data80 = data.cap_drop;
      if (Array.isArray(data80)) {
        if (data80.length > 50) {
          let err241 = { instancePath: instancePath + "/cap_drop", schemaPath: "#/properties/cap_drop/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
          vErrors === null ? vErrors = [err241] : vErrors.push(err241), errors++;
        }
        let len8 = data80.length;
        for (let i8 = 0; i8 < len8; i8++) {
          let data81 = data80[i8];
          if (typeof data81 != "string") {
            let err242 = { instancePath: instancePath + "/cap_drop/" + i8, schemaPath: "#/properties/cap_drop/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err242] : vErrors.push(err242), errors++;
          }
          if (!(data81 === "ALL" || data81 === "AUDIT_CONTROL" || data81 === "AUDIT_READ" || data81 === "AUDIT_WRITE" || data81 === "BLOCK_SUSPEND" || data81 === "BPF" || data81 === "CHECKPOINT_RESTORE" || data81 === "CHOWN" || data81 === "DAC_OVERRIDE" || data81 === "DAC_READ_SEARCH" || data81 === "FOWNER" || data81 === "FSETID" || data81 === "IPC_LOCK" || data81 === "IPC_OWNER" || data81 === "KILL" || data81 === "LEASE" || data81 === "LINUX_IMMUTABLE" || data81 === "MAC_ADMIN" || data81 === "MAC_OVERRIDE" || data81 === "MKNOD" || data81 === "NET_ADMIN" || data81 === "NET_BIND_SERVICE" || data81 === "NET_BROADCAST" || data81 === "NET_RAW" || data81 === "PERFMON" || data81 === "SETFCAP" || data81 === "SETGID" || data81 === "SETPCAP" || data81 === "SETUID" || data81 === "SYSLOG" || data81 === "SYS_ADMIN" || data81 === "SYS_BOOT" || data81 === "SYS_CHROOT" || data81 === "SYS_MODULE" || data81 === "SYS_NICE" || data81 === "SYS_PACCT" || data81 === "SYS_PTRACE" || data81 === "SYS_RAWIO" || data81 === "SYS_RESOURCE" || data81 === "SYS_TIME" || data81 === "SYS_TTY_CONFIG" || data81 === "WAKE_ALARM")) {
            let err243 = { instancePath: instancePath + "/cap_drop/" + i8, schemaPath: "#/properties/cap_drop/items/enum", keyword: "enum", params: { allowedValues: schema31.properties.cap_drop.items.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err243] : vErrors.push(err243), errors++;
          }
        }
      } else {
        let err244 = { instancePath: instancePath + "/cap_drop", schemaPath: "#/properties/cap_drop/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err244] : vErrors.push(err244), errors++;
      }
    }
    if (data.no_new_privileges !== void 0 && typeof data.no_new_privileges != "boolean") {
      let err245 = { instancePath: instancePath + "/no_new_privileges", schemaPath: "#/properties/no_new_privileges/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err245] : vErrors.push(err245), errors++;
    }
    if (data.privileged !== void 0 && typeof data.privileged != "boolean") {
      let err246 = { instancePath: instancePath + "/privileged", schemaPath: "#/properties/privileged/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err246] : vErrors.push(err246), errors++;
    }
    if (data.devices !== void 0) {
      let data84 = data.devices;
      if (Array.isArray(data84)) {
        if (data84.length > 100) {
          let err247 = { instancePath: instancePath + "/devices", schemaPath: "#/properties/devices/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err247] : vErrors.push(err247), errors++;
        }
        let len9 = data84.length;
        for (let i9 = 0; i9 < len9; i9++) {
          let data85 = data84[i9];
          if (typeof data85 == "string") {
            if (func2(data85) > 512) {
              let err248 = { instancePath: instancePath + "/devices/" + i9, schemaPath: "#/properties/devices/items/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
              vErrors === null ? vErrors = [err248] : vErrors.push(err248), errors++;
            }
            if (!pattern14.test(data85)) {
              let err249 = { instancePath: instancePath + "/devices/" + i9, schemaPath: "#/properties/devices/items/pattern", keyword: "pattern", params: { pattern: "^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$" }, message: 'must match pattern "^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$"' };
              vErrors === null ? vErrors = [err249] : vErrors.push(err249), errors++;
            }
          } else {
            let err250 = { instancePath: instancePath + "/devices/" + i9, schemaPath: "#/properties/devices/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err250] : vErrors.push(err250), errors++;
          }
        }
      } else {
        let err251 = { instancePath: instancePath + "/devices", schemaPath: "#/properties/devices/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err251] : vErrors.push(err251), errors++;
      }
    }
    if (data.gpus !== void 0) {
      let data86 = data.gpus;
      if (typeof data86 == "string") {
        if (func2(data86) > 1e3) {
          let err252 = { instancePath: instancePath + "/gpus", schemaPath: "#/properties/gpus/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
          vErrors === null ? vErrors = [err252] : vErrors.push(err252), errors++;
        }
        if (!pattern15.test(data86)) {
          let err253 = { instancePath: instancePath + "/gpus", schemaPath: "#/properties/gpus/pattern", keyword: "pattern", params: { pattern: "^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$" }, message: 'must match pattern "^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$"' };
          vErrors === null ? vErrors = [err253] : vErrors.push(err253), errors++;
        }
      } else {
        let err254 = { instancePath: instancePath + "/gpus", schemaPath: "#/properties/gpus/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err254] : vErrors.push(err254), errors++;
      }
    }
    if (data.sysctls !== void 0) {
      let data87 = data.sysctls;
      if (data87 && typeof data87 == "object" && !Array.isArray(data87)) {
        var props1 = {};
        for (let key19 in data87)
          if (pattern8.test(key19)) {
            if (typeof data87[key19] != "string") {
              let err255 = { instancePath: instancePath + "/sysctls/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/sysctls/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err255] : vErrors.push(err255), errors++;
            }
            props1[key19] = !0;
          }
      } else {
        let err256 = { instancePath: instancePath + "/sysctls", schemaPath: "#/properties/sysctls/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err256] : vErrors.push(err256), errors++;
      }
    }
    if (data.volumes !== void 0) {
      let data89 = data.volumes;
      if (Array.isArray(data89)) {
        if (data89.length > 100) {
          let err257 = { instancePath: instancePath + "/volumes", schemaPath: "#/properties/volumes/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err257] : vErrors.push(err257), errors++;
        }
        let len10 = data89.length;
        for (let i10 = 0; i10 < len10; i10++) {
          let data90 = data89[i10];
          if (data90 && typeof data90 == "object" && !Array.isArray(data90)) {
            if (data90.path === void 0) {
              let err258 = { instancePath: instancePath + "/volumes/" + i10, schemaPath: "#/properties/volumes/items/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
              vErrors === null ? vErrors = [err258] : vErrors.push(err258), errors++;
            }
            if (data90.readonly === void 0) {
              let err259 = { instancePath: instancePath + "/volumes/" + i10, schemaPath: "#/properties/volumes/items/required", keyword: "required", params: { missingProperty: "readonly" }, message: "must have required property 'readonly'" };
              vErrors === null ? vErrors = [err259] : vErrors.push(err259), errors++;
            }
            for (let key20 in data90)
              if (!(key20 === "name" || key20 === "host" || key20 === "tmpfs" || key20 === "path" || key20 === "readonly" || key20 === "scope" || key20 === "on_lost" || key20 === "size")) {
                let err260 = { instancePath: instancePath + "/volumes/" + i10, schemaPath: "#/properties/volumes/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key20 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err260] : vErrors.push(err260), errors++;
              }
            if (data90.name !== void 0) {
              let data91 = data90.name;
              if (typeof data91 == "string") {
                if (!pattern17.test(data91)) {
                  let err261 = { instancePath: instancePath + "/volumes/" + i10 + "/name", schemaPath: "#/properties/volumes/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$"' };
                  vErrors === null ? vErrors = [err261] : vErrors.push(err261), errors++;
                }
              } else {
                let err262 = { instancePath: instancePath + "/volumes/" + i10 + "/name", schemaPath: "#/properties/volumes/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err262] : vErrors.push(err262), errors++;
              }
            }
            if (data90.host !== void 0) {
              let data92 = data90.host;
              if (typeof data92 == "string") {
                if (func2(data92) > 1e3) {
                  let err263 = { instancePath: instancePath + "/volumes/" + i10 + "/host", schemaPath: "#/properties/volumes/items/properties/host/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err263] : vErrors.push(err263), errors++;
                }
                if (!pattern18.test(data92)) {
                  let err264 = { instancePath: instancePath + "/volumes/" + i10 + "/host", schemaPath: "#/properties/volumes/items/properties/host/pattern", keyword: "pattern", params: { pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$` }, message: `must match pattern "^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$"` };
                  vErrors === null ? vErrors = [err264] : vErrors.push(err264), errors++;
                }
              } else {
                let err265 = { instancePath: instancePath + "/volumes/" + i10 + "/host", schemaPath: "#/properties/volumes/items/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err265] : vErrors.push(err265), errors++;
              }
            }
            if (data90.tmpfs !== void 0) {
              let data93 = data90.tmpfs;
              if (typeof data93 != "boolean") {
                let err266 = { instancePath: instancePath + "/volumes/" + i10 + "/tmpfs", schemaPath: "#/properties/volumes/items/properties/tmpfs/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                vErrors === null ? vErrors = [err266] : vErrors.push(err266), errors++;
              }
              if (data93 !== !0) {
                let err267 = { instancePath: instancePath + "/volumes/" + i10 + "/tmpfs", schemaPath: "#/properties/volumes/items/properties/tmpfs/const", keyword: "const", params: { allowedValue: !0 }, message: "must be equal to constant" };
                vErrors === null ? vErrors = [err267] : vErrors.push(err267), errors++;
              }
            }
            if (data90.path !== void 0) {
              let data94 = data90.path;
              if (typeof data94 == "string") {
                if (func2(data94) > 1e3) {
                  let err268 = { instancePath: instancePath + "/volumes/" + i10 + "/path", schemaPath: "#/properties/volumes/items/properties/path/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err268] : vErrors.push(err268), errors++;
                }
                if (!pattern19.test(data94)) {
                  let err269 = { instancePath: instancePath + "/volumes/" + i10 + "/path", schemaPath: "#/properties/volumes/items/properties/path/pattern", keyword: "pattern", params: { pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$` }, message: `must match pattern "^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$"` };
                  vErrors === null ? vErrors = [err269] : vErrors.push(err269), errors++;
                }
              } else {
                let err270 = { instancePath: instancePath + "/volumes/" + i10 + "/path", schemaPath: "#/properties/volumes/items/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err270] : vErrors.push(err270), errors++;
              }
            }
            if (data90.readonly !== void 0 && typeof data90.readonly != "boolean") {
              let err271 = { instancePath: instancePath + "/volumes/" + i10 + "/readonly", schemaPath: "#/properties/volumes/items/properties/readonly/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err271] : vErrors.push(err271), errors++;
            }
            if (data90.scope !== void 0) {
              let data96 = data90.scope;
              if (typeof data96 != "string") {
                let err272 = { instancePath: instancePath + "/volumes/" + i10 + "/scope", schemaPath: "#/properties/volumes/items/properties/scope/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err272] : vErrors.push(err272), errors++;
              }
              if (!(data96 === "instance" || data96 === "service")) {
                let err273 = { instancePath: instancePath + "/volumes/" + i10 + "/scope", schemaPath: "#/properties/volumes/items/properties/scope/enum", keyword: "enum", params: { allowedValues: schema31.properties.volumes.items.properties.scope.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err273] : vErrors.push(err273), errors++;
              }
            }
            if (data90.on_lost !== void 0) {
              let data97 = data90.on_lost;
              if (typeof data97 != "string") {
                let err274 = { instancePath: instancePath + "/volumes/" + i10 + "/on_lost", schemaPath: "#/properties/volumes/items/properties/on_lost/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err274] : vErrors.push(err274), errors++;
              }
              if (!(data97 === "wait" || data97 === "fresh")) {
                let err275 = { instancePath: instancePath + "/volumes/" + i10 + "/on_lost", schemaPath: "#/properties/volumes/items/properties/on_lost/enum", keyword: "enum", params: { allowedValues: schema31.properties.volumes.items.properties.on_lost.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err275] : vErrors.push(err275), errors++;
              }
            }
            if (data90.size !== void 0) {
              let data98 = data90.size;
              if (!(typeof data98 == "number" && !(data98 % 1) && !isNaN(data98) && isFinite(data98))) {
                let err276 = { instancePath: instancePath + "/volumes/" + i10 + "/size", schemaPath: "#/properties/volumes/items/properties/size/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err276] : vErrors.push(err276), errors++;
              }
              if (typeof data98 == "number" && isFinite(data98)) {
                if (data98 > 1048576 || isNaN(data98)) {
                  let err277 = { instancePath: instancePath + "/volumes/" + i10 + "/size", schemaPath: "#/properties/volumes/items/properties/size/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
                  vErrors === null ? vErrors = [err277] : vErrors.push(err277), errors++;
                }
                if (data98 < 1 || isNaN(data98)) {
                  let err278 = { instancePath: instancePath + "/volumes/" + i10 + "/size", schemaPath: "#/properties/volumes/items/properties/size/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err278] : vErrors.push(err278), errors++;
                }
              }
            }
          } else {
            let err279 = { instancePath: instancePath + "/volumes/" + i10, schemaPath: "#/properties/volumes/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err279] : vErrors.push(err279), errors++;
          }
        }
      } else {
        let err280 = { instancePath: instancePath + "/volumes", schemaPath: "#/properties/volumes/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err280] : vErrors.push(err280), errors++;
      }
    }
    if (data.files !== void 0) {
      let data99 = data.files;
      if (Array.isArray(data99)) {
        if (data99.length > 100) {
          let err281 = { instancePath: instancePath + "/files", schemaPath: "#/properties/files/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err281] : vErrors.push(err281), errors++;
        }
        let len11 = data99.length;
        for (let i11 = 0; i11 < len11; i11++) {
          let data100 = data99[i11];
          if (data100 && typeof data100 == "object" && !Array.isArray(data100)) {
            if (data100.path === void 0) {
              let err282 = { instancePath: instancePath + "/files/" + i11, schemaPath: "#/properties/files/items/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
              vErrors === null ? vErrors = [err282] : vErrors.push(err282), errors++;
            }
            for (let key21 in data100)
              if (!(key21 === "path" || key21 === "template" || key21 === "source" || key21 === "mode" || key21 === "owner" || key21 === "secret")) {
                let err283 = { instancePath: instancePath + "/files/" + i11, schemaPath: "#/properties/files/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key21 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err283] : vErrors.push(err283), errors++;
              }
            if (data100.path !== void 0) {
              let data101 = data100.path;
              if (typeof data101 == "string") {
                if (func2(data101) > 1e3) {
                  let err284 = { instancePath: instancePath + "/files/" + i11 + "/path", schemaPath: "#/properties/files/items/properties/path/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err284] : vErrors.push(err284), errors++;
                }
                if (!pattern20.test(data101)) {
                  let err285 = { instancePath: instancePath + "/files/" + i11 + "/path", schemaPath: "#/properties/files/items/properties/path/pattern", keyword: "pattern", params: { pattern: `^/?(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$` }, message: `must match pattern "^/?(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$"` };
                  vErrors === null ? vErrors = [err285] : vErrors.push(err285), errors++;
                }
              } else {
                let err286 = { instancePath: instancePath + "/files/" + i11 + "/path", schemaPath: "#/properties/files/items/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err286] : vErrors.push(err286), errors++;
              }
            }
            if (data100.template !== void 0) {
              let data102 = data100.template;
              if (typeof data102 == "string") {
                if (func2(data102) > 262144) {
                  let err287 = { instancePath: instancePath + "/files/" + i11 + "/template", schemaPath: "#/properties/files/items/properties/template/maxLength", keyword: "maxLength", params: { limit: 262144 }, message: "must NOT have more than 262144 characters" };
                  vErrors === null ? vErrors = [err287] : vErrors.push(err287), errors++;
                }
              } else {
                let err288 = { instancePath: instancePath + "/files/" + i11 + "/template", schemaPath: "#/properties/files/items/properties/template/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err288] : vErrors.push(err288), errors++;
              }
            }
            if (data100.source !== void 0) {
              let data103 = data100.source;
              if (typeof data103 == "string") {
                if (func2(data103) > 1e3) {
                  let err289 = { instancePath: instancePath + "/files/" + i11 + "/source", schemaPath: "#/properties/files/items/properties/source/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err289] : vErrors.push(err289), errors++;
                }
                if (!pattern21.test(data103)) {
                  let err290 = { instancePath: instancePath + "/files/" + i11 + "/source", schemaPath: "#/properties/files/items/properties/source/pattern", keyword: "pattern", params: { pattern: `^(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$` }, message: `must match pattern "^(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$"` };
                  vErrors === null ? vErrors = [err290] : vErrors.push(err290), errors++;
                }
              } else {
                let err291 = { instancePath: instancePath + "/files/" + i11 + "/source", schemaPath: "#/properties/files/items/properties/source/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err291] : vErrors.push(err291), errors++;
              }
            }
            if (data100.mode !== void 0) {
              let data104 = data100.mode;
              if (typeof data104 == "string") {
                if (!pattern22.test(data104)) {
                  let err292 = { instancePath: instancePath + "/files/" + i11 + "/mode", schemaPath: "#/properties/files/items/properties/mode/pattern", keyword: "pattern", params: { pattern: "^0[0-7]{3}$" }, message: 'must match pattern "^0[0-7]{3}$"' };
                  vErrors === null ? vErrors = [err292] : vErrors.push(err292), errors++;
                }
              } else {
                let err293 = { instancePath: instancePath + "/files/" + i11 + "/mode", schemaPath: "#/properties/files/items/properties/mode/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err293] : vErrors.push(err293), errors++;
              }
            }
            if (data100.owner !== void 0) {
              let data105 = data100.owner;
              if (typeof data105 == "string") {
                if (!pattern23.test(data105)) {
                  let err294 = { instancePath: instancePath + "/files/" + i11 + "/owner", schemaPath: "#/properties/files/items/properties/owner/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?)?$" }, message: 'must match pattern "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?)?$"' };
                  vErrors === null ? vErrors = [err294] : vErrors.push(err294), errors++;
                }
              } else {
                let err295 = { instancePath: instancePath + "/files/" + i11 + "/owner", schemaPath: "#/properties/files/items/properties/owner/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err295] : vErrors.push(err295), errors++;
              }
            }
            if (data100.secret !== void 0 && typeof data100.secret != "boolean") {
              let err296 = { instancePath: instancePath + "/files/" + i11 + "/secret", schemaPath: "#/properties/files/items/properties/secret/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err296] : vErrors.push(err296), errors++;
            }
          } else {
            let err297 = { instancePath: instancePath + "/files/" + i11, schemaPath: "#/properties/files/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err297] : vErrors.push(err297), errors++;
          }
        }
      } else {
        let err298 = { instancePath: instancePath + "/files", schemaPath: "#/properties/files/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err298] : vErrors.push(err298), errors++;
      }
    }
    if (data.ports !== void 0) {
      let data107 = data.ports;
      if (Array.isArray(data107)) {
        if (data107.length > 1e3) {
          let err299 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
          vErrors === null ? vErrors = [err299] : vErrors.push(err299), errors++;
        }
        let len12 = data107.length;
        for (let i12 = 0; i12 < len12; i12++) {
          let data108 = data107[i12];
          if (data108 && typeof data108 == "object" && !Array.isArray(data108)) {
            if (data108.container === void 0) {
              let err300 = { instancePath: instancePath + "/ports/" + i12, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "container" }, message: "must have required property 'container'" };
              vErrors === null ? vErrors = [err300] : vErrors.push(err300), errors++;
            }
            if (data108.protocol === void 0) {
              let err301 = { instancePath: instancePath + "/ports/" + i12, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "protocol" }, message: "must have required property 'protocol'" };
              vErrors === null ? vErrors = [err301] : vErrors.push(err301), errors++;
            }
            for (let key22 in data108)
              if (!(key22 === "ip" || key22 === "host" || key22 === "container" || key22 === "protocol")) {
                let err302 = { instancePath: instancePath + "/ports/" + i12, schemaPath: "#/properties/ports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key22 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err302] : vErrors.push(err302), errors++;
              }
            if (data108.ip !== void 0 && typeof data108.ip != "string") {
              let err303 = { instancePath: instancePath + "/ports/" + i12 + "/ip", schemaPath: "#/properties/ports/items/properties/ip/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err303] : vErrors.push(err303), errors++;
            }
            if (data108.host !== void 0) {
              let data110 = data108.host;
              if (!(typeof data110 == "number" && !(data110 % 1) && !isNaN(data110) && isFinite(data110))) {
                let err304 = { instancePath: instancePath + "/ports/" + i12 + "/host", schemaPath: "#/properties/ports/items/properties/host/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err304] : vErrors.push(err304), errors++;
              }
              if (typeof data110 == "number" && isFinite(data110)) {
                if (data110 > 65535 || isNaN(data110)) {
                  let err305 = { instancePath: instancePath + "/ports/" + i12 + "/host", schemaPath: "#/properties/ports/items/properties/host/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err305] : vErrors.push(err305), errors++;
                }
                if (data110 < 0 || isNaN(data110)) {
                  let err306 = { instancePath: instancePath + "/ports/" + i12 + "/host", schemaPath: "#/properties/ports/items/properties/host/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                  vErrors === null ? vErrors = [err306] : vErrors.push(err306), errors++;
                }
              }
            }
            if (data108.container !== void 0) {
              let data111 = data108.container;
              if (!(typeof data111 == "number" && !(data111 % 1) && !isNaN(data111) && isFinite(data111))) {
                let err307 = { instancePath: instancePath + "/ports/" + i12 + "/container", schemaPath: "#/properties/ports/items/properties/container/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err307] : vErrors.push(err307), errors++;
              }
              if (typeof data111 == "number" && isFinite(data111)) {
                if (data111 > 65535 || isNaN(data111)) {
                  let err308 = { instancePath: instancePath + "/ports/" + i12 + "/container", schemaPath: "#/properties/ports/items/properties/container/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err308] : vErrors.push(err308), errors++;
                }
                if (data111 < 1 || isNaN(data111)) {
                  let err309 = { instancePath: instancePath + "/ports/" + i12 + "/container", schemaPath: "#/properties/ports/items/properties/container/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err309] : vErrors.push(err309), errors++;
                }
              }
            }
            if (data108.protocol !== void 0) {
              let data112 = data108.protocol;
              if (typeof data112 != "string") {
                let err310 = { instancePath: instancePath + "/ports/" + i12 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err310] : vErrors.push(err310), errors++;
              }
              if (!(data112 === "tcp" || data112 === "udp")) {
                let err311 = { instancePath: instancePath + "/ports/" + i12 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/enum", keyword: "enum", params: { allowedValues: schema31.properties.ports.items.properties.protocol.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err311] : vErrors.push(err311), errors++;
              }
            }
          } else {
            let err312 = { instancePath: instancePath + "/ports/" + i12, schemaPath: "#/properties/ports/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err312] : vErrors.push(err312), errors++;
          }
        }
      } else {
        let err313 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err313] : vErrors.push(err313), errors++;
      }
    }
    if (data.dns !== void 0) {
      let data113 = data.dns;
      if (Array.isArray(data113)) {
        if (data113.length > 10) {
          let err314 = { instancePath: instancePath + "/dns", schemaPath: "#/properties/dns/maxItems", keyword: "maxItems", params: { limit: 10 }, message: "must NOT have more than 10 items" };
          vErrors === null ? vErrors = [err314] : vErrors.push(err314), errors++;
        }
        let len13 = data113.length;
        for (let i13 = 0; i13 < len13; i13++) {
          let data114 = data113[i13];
          if (typeof data114 == "string") {
            if (func2(data114) < 2) {
              let err315 = { instancePath: instancePath + "/dns/" + i13, schemaPath: "#/properties/dns/items/minLength", keyword: "minLength", params: { limit: 2 }, message: "must NOT have fewer than 2 characters" };
              vErrors === null ? vErrors = [err315] : vErrors.push(err315), errors++;
            }
          } else {
            let err316 = { instancePath: instancePath + "/dns/" + i13, schemaPath: "#/properties/dns/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err316] : vErrors.push(err316), errors++;
          }
        }
      } else {
        let err317 = { instancePath: instancePath + "/dns", schemaPath: "#/properties/dns/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err317] : vErrors.push(err317), errors++;
      }
    }
    if (data["dns-search"] !== void 0) {
      let data115 = data["dns-search"];
      if (Array.isArray(data115)) {
        if (data115.length > 32) {
          let err318 = { instancePath: instancePath + "/dns-search", schemaPath: "#/properties/dns-search/maxItems", keyword: "maxItems", params: { limit: 32 }, message: "must NOT have more than 32 items" };
          vErrors === null ? vErrors = [err318] : vErrors.push(err318), errors++;
        }
        let len14 = data115.length;
        for (let i14 = 0; i14 < len14; i14++) {
          let data116 = data115[i14];
          if (typeof data116 == "string") {
            if (!pattern24.test(data116)) {
              let err319 = { instancePath: instancePath + "/dns-search/" + i14, schemaPath: "#/properties/dns-search/items/pattern", keyword: "pattern", params: { pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$" }, message: 'must match pattern "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$"' };
              vErrors === null ? vErrors = [err319] : vErrors.push(err319), errors++;
            }
          } else {
            let err320 = { instancePath: instancePath + "/dns-search/" + i14, schemaPath: "#/properties/dns-search/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err320] : vErrors.push(err320), errors++;
          }
        }
      } else {
        let err321 = { instancePath: instancePath + "/dns-search", schemaPath: "#/properties/dns-search/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err321] : vErrors.push(err321), errors++;
      }
    }
    if (data.cns !== void 0) {
      let data117 = data.cns;
      if (data117 && typeof data117 == "object" && !Array.isArray(data117)) {
        for (let key23 in data117)
          if (!(key23 === "services" || key23 === "ttl" || key23 === "hysteresis" || key23 === "disable")) {
            let err322 = { instancePath: instancePath + "/cns", schemaPath: "#/properties/cns/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key23 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err322] : vErrors.push(err322), errors++;
          }
        if (data117.services !== void 0) {
          let data118 = data117.services;
          if (Array.isArray(data118)) {
            if (data118.length > 100) {
              let err323 = { instancePath: instancePath + "/cns/services", schemaPath: "#/properties/cns/properties/services/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              vErrors === null ? vErrors = [err323] : vErrors.push(err323), errors++;
            }
            let len15 = data118.length;
            for (let i15 = 0; i15 < len15; i15++) {
              let data119 = data118[i15];
              if (typeof data119 == "string") {
                if (func2(data119) < 1) {
                  let err324 = { instancePath: instancePath + "/cns/services/" + i15, schemaPath: "#/properties/cns/properties/services/items/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err324] : vErrors.push(err324), errors++;
                }
              } else {
                let err325 = { instancePath: instancePath + "/cns/services/" + i15, schemaPath: "#/properties/cns/properties/services/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err325] : vErrors.push(err325), errors++;
              }
            }
          } else {
            let err326 = { instancePath: instancePath + "/cns/services", schemaPath: "#/properties/cns/properties/services/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err326] : vErrors.push(err326), errors++;
          }
        }
        if (data117.ttl !== void 0) {
          let data120 = data117.ttl;
          if (!(typeof data120 == "number" && !(data120 % 1) && !isNaN(data120) && isFinite(data120))) {
            let err327 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err327] : vErrors.push(err327), errors++;
          }
          if (typeof data120 == "number" && isFinite(data120)) {
            if (data120 > 3600 || isNaN(data120)) {
              let err328 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
              vErrors === null ? vErrors = [err328] : vErrors.push(err328), errors++;
            }
            if (data120 < 0 || isNaN(data120)) {
              let err329 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err329] : vErrors.push(err329), errors++;
            }
          }
        }
        if (data117.hysteresis !== void 0 && typeof data117.hysteresis != "boolean") {
          let err330 = { instancePath: instancePath + "/cns/hysteresis", schemaPath: "#/properties/cns/properties/hysteresis/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err330] : vErrors.push(err330), errors++;
        }
        if (data117.disable !== void 0 && typeof data117.disable != "boolean") {
          let err331 = { instancePath: instancePath + "/cns/disable", schemaPath: "#/properties/cns/properties/disable/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err331] : vErrors.push(err331), errors++;
        }
      } else {
        let err332 = { instancePath: instancePath + "/cns", schemaPath: "#/properties/cns/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err332] : vErrors.push(err332), errors++;
      }
    }
    if (data.entry !== void 0) {
      let data123 = data.entry;
      if (Array.isArray(data123)) {
        if (data123.length > 100) {
          let err333 = { instancePath: instancePath + "/entry", schemaPath: "#/properties/entry/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err333] : vErrors.push(err333), errors++;
        }
        let len16 = data123.length;
        for (let i16 = 0; i16 < len16; i16++) {
          let data124 = data123[i16];
          if (data124 && typeof data124 == "object" && !Array.isArray(data124)) {
            if (data124.path === void 0) {
              let err334 = { instancePath: instancePath + "/entry/" + i16, schemaPath: "#/properties/entry/items/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
              vErrors === null ? vErrors = [err334] : vErrors.push(err334), errors++;
            }
            if (data124.tls === void 0) {
              let err335 = { instancePath: instancePath + "/entry/" + i16, schemaPath: "#/properties/entry/items/required", keyword: "required", params: { missingProperty: "tls" }, message: "must have required property 'tls'" };
              vErrors === null ? vErrors = [err335] : vErrors.push(err335), errors++;
            }
            if (data124.retries === void 0) {
              let err336 = { instancePath: instancePath + "/entry/" + i16, schemaPath: "#/properties/entry/items/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
              vErrors === null ? vErrors = [err336] : vErrors.push(err336), errors++;
            }
            if (data124.weight === void 0) {
              let err337 = { instancePath: instancePath + "/entry/" + i16, schemaPath: "#/properties/entry/items/required", keyword: "required", params: { missingProperty: "weight" }, message: "must have required property 'weight'" };
              vErrors === null ? vErrors = [err337] : vErrors.push(err337), errors++;
            }
            if (data124.drain === void 0) {
              let err338 = { instancePath: instancePath + "/entry/" + i16, schemaPath: "#/properties/entry/items/required", keyword: "required", params: { missingProperty: "drain" }, message: "must have required property 'drain'" };
              vErrors === null ? vErrors = [err338] : vErrors.push(err338), errors++;
            }
            for (let key24 in data124)
              if (!func1.call(schema31.properties.entry.items.properties, key24)) {
                let err339 = { instancePath: instancePath + "/entry/" + i16, schemaPath: "#/properties/entry/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key24 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err339] : vErrors.push(err339), errors++;
              }
            if (data124.host !== void 0) {
              let data125 = data124.host;
              if (typeof data125 == "string") {
                if (!pattern25.test(data125)) {
                  let err340 = { instancePath: instancePath + "/entry/" + i16 + "/host", schemaPath: "#/properties/entry/items/properties/host/pattern", keyword: "pattern", params: { pattern: "^(?=.{1,253}$)(\\*\\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$" }, message: 'must match pattern "^(?=.{1,253}$)(\\*\\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"' };
                  vErrors === null ? vErrors = [err340] : vErrors.push(err340), errors++;
                }
              } else {
                let err341 = { instancePath: instancePath + "/entry/" + i16 + "/host", schemaPath: "#/properties/entry/items/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err341] : vErrors.push(err341), errors++;
              }
            }
            if (data124.path !== void 0) {
              let data126 = data124.path;
              if (typeof data126 == "string") {
                if (func2(data126) > 1e3) {
                  let err342 = { instancePath: instancePath + "/entry/" + i16 + "/path", schemaPath: "#/properties/entry/items/properties/path/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err342] : vErrors.push(err342), errors++;
                }
                if (!pattern26.test(data126)) {
                  let err343 = { instancePath: instancePath + "/entry/" + i16 + "/path", schemaPath: "#/properties/entry/items/properties/path/pattern", keyword: "pattern", params: { pattern: "^(?:/|(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+)$" }, message: 'must match pattern "^(?:/|(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+)$"' };
                  vErrors === null ? vErrors = [err343] : vErrors.push(err343), errors++;
                }
              } else {
                let err344 = { instancePath: instancePath + "/entry/" + i16 + "/path", schemaPath: "#/properties/entry/items/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err344] : vErrors.push(err344), errors++;
              }
            }
            if (data124.port !== void 0) {
              let data127 = data124.port;
              if (!(typeof data127 == "number" && !(data127 % 1) && !isNaN(data127) && isFinite(data127))) {
                let err345 = { instancePath: instancePath + "/entry/" + i16 + "/port", schemaPath: "#/properties/entry/items/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err345] : vErrors.push(err345), errors++;
              }
              if (typeof data127 == "number" && isFinite(data127)) {
                if (data127 > 65535 || isNaN(data127)) {
                  let err346 = { instancePath: instancePath + "/entry/" + i16 + "/port", schemaPath: "#/properties/entry/items/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err346] : vErrors.push(err346), errors++;
                }
                if (data127 < 1 || isNaN(data127)) {
                  let err347 = { instancePath: instancePath + "/entry/" + i16 + "/port", schemaPath: "#/properties/entry/items/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err347] : vErrors.push(err347), errors++;
                }
              }
            }
            if (data124.tls !== void 0) {
              let data128 = data124.tls;
              if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                if (data128.mode === void 0) {
                  let err348 = { instancePath: instancePath + "/entry/" + i16 + "/tls", schemaPath: "#/properties/entry/items/properties/tls/required", keyword: "required", params: { missingProperty: "mode" }, message: "must have required property 'mode'" };
                  vErrors === null ? vErrors = [err348] : vErrors.push(err348), errors++;
                }
                for (let key25 in data128)
                  if (!(key25 === "mode" || key25 === "cert" || key25 === "key")) {
                    let err349 = { instancePath: instancePath + "/entry/" + i16 + "/tls", schemaPath: "#/properties/entry/items/properties/tls/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key25 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err349] : vErrors.push(err349), errors++;
                  }
                if (data128.mode !== void 0) {
                  let data129 = data128.mode;
                  if (typeof data129 != "string") {
                    let err350 = { instancePath: instancePath + "/entry/" + i16 + "/tls/mode", schemaPath: "#/properties/entry/items/properties/tls/properties/mode/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err350] : vErrors.push(err350), errors++;
                  }
                  if (!(data129 === "auto" || data129 === "internal" || data129 === "off" || data129 === "meta")) {
                    let err351 = { instancePath: instancePath + "/entry/" + i16 + "/tls/mode", schemaPath: "#/properties/entry/items/properties/tls/properties/mode/enum", keyword: "enum", params: { allowedValues: schema31.properties.entry.items.properties.tls.properties.mode.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err351] : vErrors.push(err351), errors++;
                  }
                }
                if (data128.cert !== void 0) {
                  let data130 = data128.cert;
                  if (typeof data130 == "string") {
                    if (func2(data130) > 256) {
                      let err352 = { instancePath: instancePath + "/entry/" + i16 + "/tls/cert", schemaPath: "#/properties/entry/items/properties/tls/properties/cert/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                      vErrors === null ? vErrors = [err352] : vErrors.push(err352), errors++;
                    }
                    if (func2(data130) < 1) {
                      let err353 = { instancePath: instancePath + "/entry/" + i16 + "/tls/cert", schemaPath: "#/properties/entry/items/properties/tls/properties/cert/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      vErrors === null ? vErrors = [err353] : vErrors.push(err353), errors++;
                    }
                  } else {
                    let err354 = { instancePath: instancePath + "/entry/" + i16 + "/tls/cert", schemaPath: "#/properties/entry/items/properties/tls/properties/cert/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err354] : vErrors.push(err354), errors++;
                  }
                }
                if (data128.key !== void 0) {
                  let data131 = data128.key;
                  if (typeof data131 == "string") {
                    if (func2(data131) > 256) {
                      let err355 = { instancePath: instancePath + "/entry/" + i16 + "/tls/key", schemaPath: "#/properties/entry/items/properties/tls/properties/key/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                      vErrors === null ? vErrors = [err355] : vErrors.push(err355), errors++;
                    }
                    if (func2(data131) < 1) {
                      let err356 = { instancePath: instancePath + "/entry/" + i16 + "/tls/key", schemaPath: "#/properties/entry/items/properties/tls/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      vErrors === null ? vErrors = [err356] : vErrors.push(err356), errors++;
                    }
                  } else {
                    let err357 = { instancePath: instancePath + "/entry/" + i16 + "/tls/key", schemaPath: "#/properties/entry/items/properties/tls/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err357] : vErrors.push(err357), errors++;
                  }
                }
              } else {
                let err358 = { instancePath: instancePath + "/entry/" + i16 + "/tls", schemaPath: "#/properties/entry/items/properties/tls/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err358] : vErrors.push(err358), errors++;
              }
            }
            if (data124.redirect !== void 0) {
              let data132 = data124.redirect;
              if (typeof data132 == "string") {
                if (func2(data132) > 2e3) {
                  let err359 = { instancePath: instancePath + "/entry/" + i16 + "/redirect", schemaPath: "#/properties/entry/items/properties/redirect/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                  vErrors === null ? vErrors = [err359] : vErrors.push(err359), errors++;
                }
                if (!pattern27.test(data132)) {
                  let err360 = { instancePath: instancePath + "/entry/" + i16 + "/redirect", schemaPath: "#/properties/entry/items/properties/redirect/pattern", keyword: "pattern", params: { pattern: "^https?://[^\\s{}/]+(/[^\\s{}]*)?$" }, message: 'must match pattern "^https?://[^\\s{}/]+(/[^\\s{}]*)?$"' };
                  vErrors === null ? vErrors = [err360] : vErrors.push(err360), errors++;
                }
              } else {
                let err361 = { instancePath: instancePath + "/entry/" + i16 + "/redirect", schemaPath: "#/properties/entry/items/properties/redirect/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err361] : vErrors.push(err361), errors++;
              }
            }
            if (data124.strip_prefix !== void 0) {
              let data133 = data124.strip_prefix;
              if (typeof data133 == "string") {
                if (func2(data133) > 1e3) {
                  let err362 = { instancePath: instancePath + "/entry/" + i16 + "/strip_prefix", schemaPath: "#/properties/entry/items/properties/strip_prefix/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err362] : vErrors.push(err362), errors++;
                }
                if (!pattern28.test(data133)) {
                  let err363 = { instancePath: instancePath + "/entry/" + i16 + "/strip_prefix", schemaPath: "#/properties/entry/items/properties/strip_prefix/pattern", keyword: "pattern", params: { pattern: "^(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+$" }, message: 'must match pattern "^(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+$"' };
                  vErrors === null ? vErrors = [err363] : vErrors.push(err363), errors++;
                }
              } else {
                let err364 = { instancePath: instancePath + "/entry/" + i16 + "/strip_prefix", schemaPath: "#/properties/entry/items/properties/strip_prefix/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err364] : vErrors.push(err364), errors++;
              }
            }
            if (data124.timeout !== void 0) {
              let data134 = data124.timeout;
              if (typeof data134 == "number" && isFinite(data134)) {
                if (data134 > 86400 || isNaN(data134)) {
                  let err365 = { instancePath: instancePath + "/entry/" + i16 + "/timeout", schemaPath: "#/properties/entry/items/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                  vErrors === null ? vErrors = [err365] : vErrors.push(err365), errors++;
                }
                if (data134 < 0.1 || isNaN(data134)) {
                  let err366 = { instancePath: instancePath + "/entry/" + i16 + "/timeout", schemaPath: "#/properties/entry/items/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                  vErrors === null ? vErrors = [err366] : vErrors.push(err366), errors++;
                }
              } else {
                let err367 = { instancePath: instancePath + "/entry/" + i16 + "/timeout", schemaPath: "#/properties/entry/items/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                vErrors === null ? vErrors = [err367] : vErrors.push(err367), errors++;
              }
            }
            if (data124.retries !== void 0) {
              let data135 = data124.retries;
              if (!(typeof data135 == "number" && !(data135 % 1) && !isNaN(data135) && isFinite(data135))) {
                let err368 = { instancePath: instancePath + "/entry/" + i16 + "/retries", schemaPath: "#/properties/entry/items/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err368] : vErrors.push(err368), errors++;
              }
              if (typeof data135 == "number" && isFinite(data135)) {
                if (data135 > 10 || isNaN(data135)) {
                  let err369 = { instancePath: instancePath + "/entry/" + i16 + "/retries", schemaPath: "#/properties/entry/items/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                  vErrors === null ? vErrors = [err369] : vErrors.push(err369), errors++;
                }
                if (data135 < 0 || isNaN(data135)) {
                  let err370 = { instancePath: instancePath + "/entry/" + i16 + "/retries", schemaPath: "#/properties/entry/items/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                  vErrors === null ? vErrors = [err370] : vErrors.push(err370), errors++;
                }
              }
            }
            if (data124.max_body !== void 0) {
              let data136 = data124.max_body;
              if (!(typeof data136 == "number" && !(data136 % 1) && !isNaN(data136) && isFinite(data136))) {
                let err371 = { instancePath: instancePath + "/entry/" + i16 + "/max_body", schemaPath: "#/properties/entry/items/properties/max_body/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err371] : vErrors.push(err371), errors++;
              }
              if (typeof data136 == "number" && isFinite(data136)) {
                if (data136 > 1048576 || isNaN(data136)) {
                  let err372 = { instancePath: instancePath + "/entry/" + i16 + "/max_body", schemaPath: "#/properties/entry/items/properties/max_body/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
                  vErrors === null ? vErrors = [err372] : vErrors.push(err372), errors++;
                }
                if (data136 < 1 || isNaN(data136)) {
                  let err373 = { instancePath: instancePath + "/entry/" + i16 + "/max_body", schemaPath: "#/properties/entry/items/properties/max_body/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err373] : vErrors.push(err373), errors++;
                }
              }
            }
            if (data124.sticky !== void 0) {
              let data137 = data124.sticky;
              if (typeof data137 == "string") {
                if (!pattern29.test(data137)) {
                  let err374 = { instancePath: instancePath + "/entry/" + i16 + "/sticky", schemaPath: "#/properties/entry/items/properties/sticky/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_-]{1,64}$" }, message: 'must match pattern "^[A-Za-z0-9_-]{1,64}$"' };
                  vErrors === null ? vErrors = [err374] : vErrors.push(err374), errors++;
                }
              } else {
                let err375 = { instancePath: instancePath + "/entry/" + i16 + "/sticky", schemaPath: "#/properties/entry/items/properties/sticky/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err375] : vErrors.push(err375), errors++;
              }
            }
            if (data124.headers !== void 0) {
              let data138 = data124.headers;
              if (data138 && typeof data138 == "object" && !Array.isArray(data138)) {
                for (let key26 in data138)
                  if (!(key26 === "request" || key26 === "response")) {
                    let err376 = { instancePath: instancePath + "/entry/" + i16 + "/headers", schemaPath: "#/properties/entry/items/properties/headers/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key26 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err376] : vErrors.push(err376), errors++;
                  }
                if (data138.request !== void 0) {
                  let data139 = data138.request;
                  if (data139 && typeof data139 == "object" && !Array.isArray(data139)) {
                    var props2 = {};
                    for (let key27 in data139)
                      if (pattern30.test(key27)) {
                        let data140 = data139[key27];
                        if (typeof data140 == "string") {
                          if (func2(data140) > 4096) {
                            let err377 = { instancePath: instancePath + "/entry/" + i16 + "/headers/request/" + key27.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/entry/items/properties/headers/properties/request/patternProperties/%5E%5BA-Za-z0-9!%23%24%25%26'*%2B.%5E_%60%7C~0-%5D%7B1%2C128%7D%24/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters" };
                            vErrors === null ? vErrors = [err377] : vErrors.push(err377), errors++;
                          }
                          if (!pattern31.test(data140)) {
                            let err378 = { instancePath: instancePath + "/entry/" + i16 + "/headers/request/" + key27.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/entry/items/properties/headers/properties/request/patternProperties/%5E%5BA-Za-z0-9!%23%24%25%26'*%2B.%5E_%60%7C~0-%5D%7B1%2C128%7D%24/pattern", keyword: "pattern", params: { pattern: "^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$" }, message: 'must match pattern "^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$"' };
                            vErrors === null ? vErrors = [err378] : vErrors.push(err378), errors++;
                          }
                        } else {
                          let err379 = { instancePath: instancePath + "/entry/" + i16 + "/headers/request/" + key27.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/entry/items/properties/headers/properties/request/patternProperties/%5E%5BA-Za-z0-9!%23%24%25%26'*%2B.%5E_%60%7C~0-%5D%7B1%2C128%7D%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                          vErrors === null ? vErrors = [err379] : vErrors.push(err379), errors++;
                        }
                        props2[key27] = !0;
                      }
                  } else {
                    let err380 = { instancePath: instancePath + "/entry/" + i16 + "/headers/request", schemaPath: "#/properties/entry/items/properties/headers/properties/request/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err380] : vErrors.push(err380), errors++;
                  }
                }
                if (data138.response !== void 0) {
                  let data141 = data138.response;
                  if (data141 && typeof data141 == "object" && !Array.isArray(data141)) {
                    var props3 = {};
                    for (let key28 in data141)
                      if (pattern30.test(key28)) {
                        let data142 = data141[key28];
                        if (typeof data142 == "string") {
                          if (func2(data142) > 4096) {
                            let err381 = { instancePath: instancePath + "/entry/" + i16 + "/headers/response/" + key28.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/entry/items/properties/headers/properties/response/patternProperties/%5E%5BA-Za-z0-9!%23%24%25%26'*%2B.%5E_%60%7C~0-%5D%7B1%2C128%7D%24/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters" };
                            vErrors === null ? vErrors = [err381] : vErrors.push(err381), errors++;
                          }
                          if (!pattern31.test(data142)) {
                            let err382 = { instancePath: instancePath + "/entry/" + i16 + "/headers/response/" + key28.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/entry/items/properties/headers/properties/response/patternProperties/%5E%5BA-Za-z0-9!%23%24%25%26'*%2B.%5E_%60%7C~0-%5D%7B1%2C128%7D%24/pattern", keyword: "pattern", params: { pattern: "^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$" }, message: 'must match pattern "^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$"' };
                            vErrors === null ? vErrors = [err382] : vErrors.push(err382), errors++;
                          }
                        } else {
                          let err383 = { instancePath: instancePath + "/entry/" + i16 + "/headers/response/" + key28.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/entry/items/properties/headers/properties/response/patternProperties/%5E%5BA-Za-z0-9!%23%24%25%26'*%2B.%5E_%60%7C~0-%5D%7B1%2C128%7D%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                          vErrors === null ? vErrors = [err383] : vErrors.push(err383), errors++;
                        }
                        props3[key28] = !0;
                      }
                  } else {
                    let err384 = { instancePath: instancePath + "/entry/" + i16 + "/headers/response", schemaPath: "#/properties/entry/items/properties/headers/properties/response/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err384] : vErrors.push(err384), errors++;
                  }
                }
              } else {
                let err385 = { instancePath: instancePath + "/entry/" + i16 + "/headers", schemaPath: "#/properties/entry/items/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err385] : vErrors.push(err385), errors++;
              }
            }
            if (data124.weight !== void 0) {
              let data143 = data124.weight;
              if (!(typeof data143 == "number" && !(data143 % 1) && !isNaN(data143) && isFinite(data143))) {
                let err386 = { instancePath: instancePath + "/entry/" + i16 + "/weight", schemaPath: "#/properties/entry/items/properties/weight/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err386] : vErrors.push(err386), errors++;
              }
              if (typeof data143 == "number" && isFinite(data143)) {
                if (data143 > 1e3 || isNaN(data143)) {
                  let err387 = { instancePath: instancePath + "/entry/" + i16 + "/weight", schemaPath: "#/properties/entry/items/properties/weight/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                  vErrors === null ? vErrors = [err387] : vErrors.push(err387), errors++;
                }
                if (data143 < 1 || isNaN(data143)) {
                  let err388 = { instancePath: instancePath + "/entry/" + i16 + "/weight", schemaPath: "#/properties/entry/items/properties/weight/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err388] : vErrors.push(err388), errors++;
                }
              }
            }
            if (data124.drain !== void 0) {
              let data144 = data124.drain;
              if (typeof data144 == "number" && isFinite(data144)) {
                if (data144 > 60 || isNaN(data144)) {
                  let err389 = { instancePath: instancePath + "/entry/" + i16 + "/drain", schemaPath: "#/properties/entry/items/properties/drain/maximum", keyword: "maximum", params: { comparison: "<=", limit: 60 }, message: "must be <= 60" };
                  vErrors === null ? vErrors = [err389] : vErrors.push(err389), errors++;
                }
                if (data144 < 0 || isNaN(data144)) {
                  let err390 = { instancePath: instancePath + "/entry/" + i16 + "/drain", schemaPath: "#/properties/entry/items/properties/drain/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                  vErrors === null ? vErrors = [err390] : vErrors.push(err390), errors++;
                }
              } else {
                let err391 = { instancePath: instancePath + "/entry/" + i16 + "/drain", schemaPath: "#/properties/entry/items/properties/drain/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                vErrors === null ? vErrors = [err391] : vErrors.push(err391), errors++;
              }
            }
          } else {
            let err392 = { instancePath: instancePath + "/entry/" + i16, schemaPath: "#/properties/entry/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err392] : vErrors.push(err392), errors++;
          }
        }
      } else {
        let err393 = { instancePath: instancePath + "/entry", schemaPath: "#/properties/entry/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err393] : vErrors.push(err393), errors++;
      }
    }
    if (data.labels !== void 0) {
      let data145 = data.labels;
      if (data145 && typeof data145 == "object" && !Array.isArray(data145)) {
        var props4 = {};
        for (let key29 in data145)
          if (pattern8.test(key29)) {
            if (typeof data145[key29] != "string") {
              let err394 = { instancePath: instancePath + "/labels/" + key29.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/labels/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err394] : vErrors.push(err394), errors++;
            }
            props4[key29] = !0;
          }
      } else {
        let err395 = { instancePath: instancePath + "/labels", schemaPath: "#/properties/labels/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err395] : vErrors.push(err395), errors++;
      }
    }
    if (data.affinity !== void 0) {
      let data147 = data.affinity;
      if (Array.isArray(data147)) {
        if (data147.length > 100) {
          let err396 = { instancePath: instancePath + "/affinity", schemaPath: "#/properties/affinity/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err396] : vErrors.push(err396), errors++;
        }
        let len17 = data147.length;
        for (let i17 = 0; i17 < len17; i17++) {
          let data148 = data147[i17];
          if (data148 && typeof data148 == "object" && !Array.isArray(data148)) {
            if (data148.key === void 0) {
              let err397 = { instancePath: instancePath + "/affinity/" + i17, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "key" }, message: "must have required property 'key'" };
              vErrors === null ? vErrors = [err397] : vErrors.push(err397), errors++;
            }
            if (data148.operator === void 0) {
              let err398 = { instancePath: instancePath + "/affinity/" + i17, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "operator" }, message: "must have required property 'operator'" };
              vErrors === null ? vErrors = [err398] : vErrors.push(err398), errors++;
            }
            if (data148.value === void 0) {
              let err399 = { instancePath: instancePath + "/affinity/" + i17, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
              vErrors === null ? vErrors = [err399] : vErrors.push(err399), errors++;
            }
            for (let key30 in data148)
              if (!(key30 === "key" || key30 === "operator" || key30 === "value" || key30 === "by")) {
                let err400 = { instancePath: instancePath + "/affinity/" + i17, schemaPath: "#/properties/affinity/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key30 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err400] : vErrors.push(err400), errors++;
              }
            if (data148.key !== void 0) {
              let data149 = data148.key;
              if (typeof data149 == "string") {
                if (!pattern35.test(data149)) {
                  let err401 = { instancePath: instancePath + "/affinity/" + i17 + "/key", schemaPath: "#/properties/affinity/items/properties/key/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$" }, message: 'must match pattern "^[A-Za-z_][A-Za-z0-9_.-]+$"' };
                  vErrors === null ? vErrors = [err401] : vErrors.push(err401), errors++;
                }
              } else {
                let err402 = { instancePath: instancePath + "/affinity/" + i17 + "/key", schemaPath: "#/properties/affinity/items/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err402] : vErrors.push(err402), errors++;
              }
            }
            if (data148.operator !== void 0) {
              let data150 = data148.operator;
              if (typeof data150 != "string") {
                let err403 = { instancePath: instancePath + "/affinity/" + i17 + "/operator", schemaPath: "#/properties/affinity/items/properties/operator/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err403] : vErrors.push(err403), errors++;
              }
              if (!(data150 === "==" || data150 === "!=" || data150 === "==~" || data150 === "!=~")) {
                let err404 = { instancePath: instancePath + "/affinity/" + i17 + "/operator", schemaPath: "#/properties/affinity/items/properties/operator/enum", keyword: "enum", params: { allowedValues: schema31.properties.affinity.items.properties.operator.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err404] : vErrors.push(err404), errors++;
              }
            }
            if (data148.value !== void 0) {
              let data151 = data148.value;
              if (typeof data151 == "string") {
                if (func2(data151) > 256) {
                  let err405 = { instancePath: instancePath + "/affinity/" + i17 + "/value", schemaPath: "#/properties/affinity/items/properties/value/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                  vErrors === null ? vErrors = [err405] : vErrors.push(err405), errors++;
                }
                if (!pattern36.test(data151)) {
                  let err406 = { instancePath: instancePath + "/affinity/" + i17 + "/value", schemaPath: "#/properties/affinity/items/properties/value/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$" }, message: 'must match pattern "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$"' };
                  vErrors === null ? vErrors = [err406] : vErrors.push(err406), errors++;
                }
              } else {
                let err407 = { instancePath: instancePath + "/affinity/" + i17 + "/value", schemaPath: "#/properties/affinity/items/properties/value/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err407] : vErrors.push(err407), errors++;
              }
            }
            if (data148.by !== void 0) {
              let data152 = data148.by;
              if (typeof data152 == "string") {
                if (!pattern37.test(data152)) {
                  let err408 = { instancePath: instancePath + "/affinity/" + i17 + "/by", schemaPath: "#/properties/affinity/items/properties/by/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,128}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,128}$"' };
                  vErrors === null ? vErrors = [err408] : vErrors.push(err408), errors++;
                }
              } else {
                let err409 = { instancePath: instancePath + "/affinity/" + i17 + "/by", schemaPath: "#/properties/affinity/items/properties/by/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err409] : vErrors.push(err409), errors++;
              }
            }
          } else {
            let err410 = { instancePath: instancePath + "/affinity/" + i17, schemaPath: "#/properties/affinity/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err410] : vErrors.push(err410), errors++;
          }
        }
      } else {
        let err411 = { instancePath: instancePath + "/affinity", schemaPath: "#/properties/affinity/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err411] : vErrors.push(err411), errors++;
      }
    }
    if (data.spread !== void 0) {
      let data153 = data.spread;
      if (typeof data153 == "string") {
        if (!pattern37.test(data153)) {
          let err412 = { instancePath: instancePath + "/spread", schemaPath: "#/properties/spread/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,128}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,128}$"' };
          vErrors === null ? vErrors = [err412] : vErrors.push(err412), errors++;
        }
      } else {
        let err413 = { instancePath: instancePath + "/spread", schemaPath: "#/properties/spread/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err413] : vErrors.push(err413), errors++;
      }
    }
    if (data.concurrency !== void 0) {
      let data154 = data.concurrency;
      if (!(typeof data154 == "number" && !(data154 % 1) && !isNaN(data154) && isFinite(data154))) {
        let err414 = { instancePath: instancePath + "/concurrency", schemaPath: "#/properties/concurrency/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err414] : vErrors.push(err414), errors++;
      }
      if (typeof data154 == "number" && isFinite(data154)) {
        if (data154 > 1e3 || isNaN(data154)) {
          let err415 = { instancePath: instancePath + "/concurrency", schemaPath: "#/properties/concurrency/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
          vErrors === null ? vErrors = [err415] : vErrors.push(err415), errors++;
        }
        if (data154 < 1 || isNaN(data154)) {
          let err416 = { instancePath: instancePath + "/concurrency", schemaPath: "#/properties/concurrency/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err416] : vErrors.push(err416), errors++;
        }
      }
    }
    if (data.timeout !== void 0) {
      let data155 = data.timeout;
      if (typeof data155 == "number" && isFinite(data155)) {
        if (data155 > 31536e3 || isNaN(data155)) {
          let err417 = { instancePath: instancePath + "/timeout", schemaPath: "#/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 31536e3 }, message: "must be <= 31536000" };
          vErrors === null ? vErrors = [err417] : vErrors.push(err417), errors++;
        }
        if (data155 < 1 || isNaN(data155)) {
          let err418 = { instancePath: instancePath + "/timeout", schemaPath: "#/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err418] : vErrors.push(err418), errors++;
        }
      } else {
        let err419 = { instancePath: instancePath + "/timeout", schemaPath: "#/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
        vErrors === null ? vErrors = [err419] : vErrors.push(err419), errors++;
      }
    }
    if (data.retries !== void 0) {
      let data156 = data.retries;
      if (!(typeof data156 == "number" && !(data156 % 1) && !isNaN(data156) && isFinite(data156))) {
        let err420 = { instancePath: instancePath + "/retries", schemaPath: "#/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err420] : vErrors.push(err420), errors++;
      }
      if (typeof data156 == "number" && isFinite(data156)) {
        if (data156 > 1e3 || isNaN(data156)) {
          let err421 = { instancePath: instancePath + "/retries", schemaPath: "#/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
          vErrors === null ? vErrors = [err421] : vErrors.push(err421), errors++;
        }
        if (data156 < 1 || isNaN(data156)) {
          let err422 = { instancePath: instancePath + "/retries", schemaPath: "#/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err422] : vErrors.push(err422), errors++;
        }
      }
    }
    if (data.restart !== void 0) {
      let data157 = data.restart;
      if (data157 && typeof data157 == "object" && !Array.isArray(data157)) {
        if (data157.policy === void 0) {
          let err423 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/required", keyword: "required", params: { missingProperty: "policy" }, message: "must have required property 'policy'" };
          vErrors === null ? vErrors = [err423] : vErrors.push(err423), errors++;
        }
        for (let key31 in data157)
          if (!(key31 === "policy" || key31 === "max")) {
            let err424 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key31 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err424] : vErrors.push(err424), errors++;
          }
        if (data157.policy !== void 0) {
          let data158 = data157.policy;
          if (typeof data158 != "string") {
            let err425 = { instancePath: instancePath + "/restart/policy", schemaPath: "#/properties/restart/properties/policy/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err425] : vErrors.push(err425), errors++;
          }
          if (!(data158 === "no" || data158 === "on-failure" || data158 === "always" || data158 === "unless-stopped")) {
            let err426 = { instancePath: instancePath + "/restart/policy", schemaPath: "#/properties/restart/properties/policy/enum", keyword: "enum", params: { allowedValues: schema31.properties.restart.properties.policy.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err426] : vErrors.push(err426), errors++;
          }
        }
        if (data157.max !== void 0) {
          let data159 = data157.max;
          if (!(typeof data159 == "number" && !(data159 % 1) && !isNaN(data159) && isFinite(data159))) {
            let err427 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err427] : vErrors.push(err427), errors++;
          }
          if (typeof data159 == "number" && isFinite(data159)) {
            if (data159 > 1e6 || isNaN(data159)) {
              let err428 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
              vErrors === null ? vErrors = [err428] : vErrors.push(err428), errors++;
            }
            if (data159 < 1 || isNaN(data159)) {
              let err429 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err429] : vErrors.push(err429), errors++;
            }
          }
        }
      } else {
        let err430 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err430] : vErrors.push(err430), errors++;
      }
    }
    if (data.stop !== void 0) {
      let data160 = data.stop;
      if (data160 && typeof data160 == "object" && !Array.isArray(data160)) {
        if (data160.timeout === void 0) {
          let err431 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
          vErrors === null ? vErrors = [err431] : vErrors.push(err431), errors++;
        }
        if (data160.preservestopped === void 0) {
          let err432 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/required", keyword: "required", params: { missingProperty: "preservestopped" }, message: "must have required property 'preservestopped'" };
          vErrors === null ? vErrors = [err432] : vErrors.push(err432), errors++;
        }
        for (let key32 in data160)
          if (!(key32 === "timeout" || key32 === "preservestopped")) {
            let err433 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key32 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err433] : vErrors.push(err433), errors++;
          }
        if (data160.timeout !== void 0) {
          let data161 = data160.timeout;
          if (!(typeof data161 == "number" && !(data161 % 1) && !isNaN(data161) && isFinite(data161))) {
            let err434 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err434] : vErrors.push(err434), errors++;
          }
          if (typeof data161 == "number" && isFinite(data161)) {
            if (data161 > 1e9 || isNaN(data161)) {
              let err435 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e9 }, message: "must be <= 1000000000" };
              vErrors === null ? vErrors = [err435] : vErrors.push(err435), errors++;
            }
            if (data161 < -1e9 || isNaN(data161)) {
              let err436 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1e9 }, message: "must be >= -1000000000" };
              vErrors === null ? vErrors = [err436] : vErrors.push(err436), errors++;
            }
          }
        }
        if (data160.preservestopped !== void 0) {
          let data162 = data160.preservestopped;
          if (typeof data162 != "string") {
            let err437 = { instancePath: instancePath + "/stop/preservestopped", schemaPath: "#/properties/stop/properties/preservestopped/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err437] : vErrors.push(err437), errors++;
          }
          if (!(data162 === "on-failure" || data162 === "no" || data162 === "always")) {
            let err438 = { instancePath: instancePath + "/stop/preservestopped", schemaPath: "#/properties/stop/properties/preservestopped/enum", keyword: "enum", params: { allowedValues: schema31.properties.stop.properties.preservestopped.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err438] : vErrors.push(err438), errors++;
          }
        }
      } else {
        let err439 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err439] : vErrors.push(err439), errors++;
      }
    }
    if (data.stop_signal !== void 0) {
      let data163 = data.stop_signal;
      if (typeof data163 == "string") {
        if (!pattern39.test(data163)) {
          let err440 = { instancePath: instancePath + "/stop_signal", schemaPath: "#/properties/stop_signal/pattern", keyword: "pattern", params: { pattern: "^SIG[A-Z0-9+]+$" }, message: 'must match pattern "^SIG[A-Z0-9+]+$"' };
          vErrors === null ? vErrors = [err440] : vErrors.push(err440), errors++;
        }
      } else {
        let err441 = { instancePath: instancePath + "/stop_signal", schemaPath: "#/properties/stop_signal/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err441] : vErrors.push(err441), errors++;
      }
    }
    if (data.log !== void 0) {
      let data164 = data.log;
      if (data164 && typeof data164 == "object" && !Array.isArray(data164)) {
        for (let key33 in data164)
          if (!(key33 === "driver" || key33 === "max_size" || key33 === "max_files" || key33 === "options")) {
            let err442 = { instancePath: instancePath + "/log", schemaPath: "#/properties/log/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key33 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err442] : vErrors.push(err442), errors++;
          }
        if (data164.driver !== void 0) {
          let data165 = data164.driver;
          if (typeof data165 == "string") {
            if (func2(data165) > 255) {
              let err443 = { instancePath: instancePath + "/log/driver", schemaPath: "#/properties/log/properties/driver/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              vErrors === null ? vErrors = [err443] : vErrors.push(err443), errors++;
            }
            if (!pattern40.test(data165)) {
              let err444 = { instancePath: instancePath + "/log/driver", schemaPath: "#/properties/log/properties/driver/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-zA-Z0-9._/:-]*$" }, message: 'must match pattern "^[a-z0-9][a-zA-Z0-9._/:-]*$"' };
              vErrors === null ? vErrors = [err444] : vErrors.push(err444), errors++;
            }
          } else {
            let err445 = { instancePath: instancePath + "/log/driver", schemaPath: "#/properties/log/properties/driver/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err445] : vErrors.push(err445), errors++;
          }
        }
        if (data164.max_size !== void 0) {
          let data166 = data164.max_size;
          if (!(typeof data166 == "number" && !(data166 % 1) && !isNaN(data166) && isFinite(data166))) {
            let err446 = { instancePath: instancePath + "/log/max_size", schemaPath: "#/properties/log/properties/max_size/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err446] : vErrors.push(err446), errors++;
          }
          if (typeof data166 == "number" && isFinite(data166)) {
            if (data166 > 1048576 || isNaN(data166)) {
              let err447 = { instancePath: instancePath + "/log/max_size", schemaPath: "#/properties/log/properties/max_size/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
              vErrors === null ? vErrors = [err447] : vErrors.push(err447), errors++;
            }
            if (data166 < 1 || isNaN(data166)) {
              let err448 = { instancePath: instancePath + "/log/max_size", schemaPath: "#/properties/log/properties/max_size/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err448] : vErrors.push(err448), errors++;
            }
          }
        }
        if (data164.max_files !== void 0) {
          let data167 = data164.max_files;
          if (!(typeof data167 == "number" && !(data167 % 1) && !isNaN(data167) && isFinite(data167))) {
            let err449 = { instancePath: instancePath + "/log/max_files", schemaPath: "#/properties/log/properties/max_files/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err449] : vErrors.push(err449), errors++;
          }
          if (typeof data167 == "number" && isFinite(data167)) {
            if (data167 > 1e3 || isNaN(data167)) {
              let err450 = { instancePath: instancePath + "/log/max_files", schemaPath: "#/properties/log/properties/max_files/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
              vErrors === null ? vErrors = [err450] : vErrors.push(err450), errors++;
            }
            if (data167 < 1 || isNaN(data167)) {
              let err451 = { instancePath: instancePath + "/log/max_files", schemaPath: "#/properties/log/properties/max_files/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err451] : vErrors.push(err451), errors++;
            }
          }
        }
        if (data164.options !== void 0) {
          let data168 = data164.options;
          if (data168 && typeof data168 == "object" && !Array.isArray(data168)) {
            var props5 = {};
            for (let key34 in data168)
              if (pattern8.test(key34)) {
                if (typeof data168[key34] != "string") {
                  let err452 = { instancePath: instancePath + "/log/options/" + key34.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/log/properties/options/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err452] : vErrors.push(err452), errors++;
                }
                props5[key34] = !0;
              }
          } else {
            let err453 = { instancePath: instancePath + "/log/options", schemaPath: "#/properties/log/properties/options/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err453] : vErrors.push(err453), errors++;
          }
        }
      } else {
        let err454 = { instancePath: instancePath + "/log", schemaPath: "#/properties/log/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err454] : vErrors.push(err454), errors++;
      }
    }
    if (data.healthchecks !== void 0) {
      let data170 = data.healthchecks;
      if (Array.isArray(data170)) {
        if (data170.length > 20) {
          let err455 = { instancePath: instancePath + "/healthchecks", schemaPath: "#/properties/healthchecks/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err455] : vErrors.push(err455), errors++;
        }
        let len18 = data170.length;
        for (let i18 = 0; i18 < len18; i18++) {
          let data171 = data170[i18];
          if (data171 && typeof data171 == "object" && !Array.isArray(data171)) {
            if (data171.type === void 0) {
              let err456 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
              vErrors === null ? vErrors = [err456] : vErrors.push(err456), errors++;
            }
            let tag0 = data171.type;
            if (typeof tag0 == "string")
              if (tag0 === "http") {
                if (data171 && typeof data171 == "object" && !Array.isArray(data171)) {
                  if (data171.type === void 0) {
                    let err457 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err457] : vErrors.push(err457), errors++;
                  }
                  if (data171.network === void 0) {
                    let err458 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err458] : vErrors.push(err458), errors++;
                  }
                  if (data171.port === void 0) {
                    let err459 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err459] : vErrors.push(err459), errors++;
                  }
                  if (data171.path === void 0) {
                    let err460 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
                    vErrors === null ? vErrors = [err460] : vErrors.push(err460), errors++;
                  }
                  if (data171.poll === void 0) {
                    let err461 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err461] : vErrors.push(err461), errors++;
                  }
                  if (data171.timeout === void 0) {
                    let err462 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err462] : vErrors.push(err462), errors++;
                  }
                  if (data171.retries === void 0) {
                    let err463 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err463] : vErrors.push(err463), errors++;
                  }
                  for (let key35 in data171)
                    if (!func1.call(schema31.properties.healthchecks.items.oneOf[0].properties, key35)) {
                      let err464 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key35 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err464] : vErrors.push(err464), errors++;
                    }
                  if (data171.type !== void 0) {
                    let data172 = data171.type;
                    if (typeof data172 != "string") {
                      let err465 = { instancePath: instancePath + "/healthchecks/" + i18 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err465] : vErrors.push(err465), errors++;
                    }
                    if (!(data172 === "http" || data172 === "https")) {
                      let err466 = { instancePath: instancePath + "/healthchecks/" + i18 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[0].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err466] : vErrors.push(err466), errors++;
                    }
                  }
                  if (data171.network !== void 0) {
                    let data173 = data171.network;
                    if (typeof data173 == "string") {
                      if (func2(data173) > 64) {
                        let err467 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err467] : vErrors.push(err467), errors++;
                      }
                      if (func2(data173) < 1) {
                        let err468 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err468] : vErrors.push(err468), errors++;
                      }
                      if (!pattern42.test(data173)) {
                        let err469 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err469] : vErrors.push(err469), errors++;
                      }
                    } else {
                      let err470 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err470] : vErrors.push(err470), errors++;
                    }
                  }
                  if (data171.port !== void 0) {
                    let data174 = data171.port;
                    if (!(typeof data174 == "number" && !(data174 % 1) && !isNaN(data174) && isFinite(data174))) {
                      let err471 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err471] : vErrors.push(err471), errors++;
                    }
                    if (typeof data174 == "number" && isFinite(data174)) {
                      if (data174 > 65535 || isNaN(data174)) {
                        let err472 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err472] : vErrors.push(err472), errors++;
                      }
                      if (data174 < 1 || isNaN(data174)) {
                        let err473 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err473] : vErrors.push(err473), errors++;
                      }
                    }
                  }
                  if (data171.path !== void 0) {
                    let data175 = data171.path;
                    if (typeof data175 == "string") {
                      if (!pattern11.test(data175)) {
                        let err474 = { instancePath: instancePath + "/healthchecks/" + i18 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
                        vErrors === null ? vErrors = [err474] : vErrors.push(err474), errors++;
                      }
                    } else {
                      let err475 = { instancePath: instancePath + "/healthchecks/" + i18 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err475] : vErrors.push(err475), errors++;
                    }
                  }
                  if (data171.poll !== void 0) {
                    let data176 = data171.poll;
                    if (typeof data176 == "number" && isFinite(data176)) {
                      if (data176 > 86400 || isNaN(data176)) {
                        let err476 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err476] : vErrors.push(err476), errors++;
                      }
                      if (data176 < 0.1 || isNaN(data176)) {
                        let err477 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err477] : vErrors.push(err477), errors++;
                      }
                    } else {
                      let err478 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err478] : vErrors.push(err478), errors++;
                    }
                  }
                  if (data171.timeout !== void 0) {
                    let data177 = data171.timeout;
                    if (typeof data177 == "number" && isFinite(data177)) {
                      if (data177 > 3600 || isNaN(data177)) {
                        let err479 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err479] : vErrors.push(err479), errors++;
                      }
                      if (data177 < 0.01 || isNaN(data177)) {
                        let err480 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err480] : vErrors.push(err480), errors++;
                      }
                    } else {
                      let err481 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err481] : vErrors.push(err481), errors++;
                    }
                  }
                  if (data171.retries !== void 0) {
                    let data178 = data171.retries;
                    if (!(typeof data178 == "number" && !(data178 % 1) && !isNaN(data178) && isFinite(data178))) {
                      let err482 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err482] : vErrors.push(err482), errors++;
                    }
                    if (typeof data178 == "number" && isFinite(data178)) {
                      if (data178 > 1e3 || isNaN(data178)) {
                        let err483 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err483] : vErrors.push(err483), errors++;
                      }
                      if (data178 < 1 || isNaN(data178)) {
                        let err484 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err484] : vErrors.push(err484), errors++;
                      }
                    }
                  }
                  if (data171.start_period !== void 0) {
                    let data179 = data171.start_period;
                    if (typeof data179 == "number" && isFinite(data179)) {
                      if (data179 > 86400 || isNaN(data179)) {
                        let err485 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err485] : vErrors.push(err485), errors++;
                      }
                      if (data179 < 0 || isNaN(data179)) {
                        let err486 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err486] : vErrors.push(err486), errors++;
                      }
                    } else {
                      let err487 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err487] : vErrors.push(err487), errors++;
                    }
                  }
                  if (data171.start_interval !== void 0) {
                    let data180 = data171.start_interval;
                    if (typeof data180 == "number" && isFinite(data180)) {
                      if (data180 > 86400 || isNaN(data180)) {
                        let err488 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err488] : vErrors.push(err488), errors++;
                      }
                      if (data180 < 0.1 || isNaN(data180)) {
                        let err489 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err489] : vErrors.push(err489), errors++;
                      }
                    } else {
                      let err490 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err490] : vErrors.push(err490), errors++;
                    }
                  }
                  if (data171.redirects !== void 0) {
                    let data181 = data171.redirects;
                    if (!(typeof data181 == "number" && !(data181 % 1) && !isNaN(data181) && isFinite(data181))) {
                      let err491 = { instancePath: instancePath + "/healthchecks/" + i18 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err491] : vErrors.push(err491), errors++;
                    }
                    if (typeof data181 == "number" && isFinite(data181)) {
                      if (data181 > 10 || isNaN(data181)) {
                        let err492 = { instancePath: instancePath + "/healthchecks/" + i18 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                        vErrors === null ? vErrors = [err492] : vErrors.push(err492), errors++;
                      }
                      if (data181 < 0 || isNaN(data181)) {
                        let err493 = { instancePath: instancePath + "/healthchecks/" + i18 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err493] : vErrors.push(err493), errors++;
                      }
                    }
                  }
                  if (data171.host !== void 0) {
                    let data182 = data171.host;
                    if (typeof data182 == "string") {
                      if (!pattern44.test(data182)) {
                        let err494 = { instancePath: instancePath + "/healthchecks/" + i18 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err494] : vErrors.push(err494), errors++;
                      }
                    } else {
                      let err495 = { instancePath: instancePath + "/healthchecks/" + i18 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err495] : vErrors.push(err495), errors++;
                    }
                  }
                  if (data171.verify !== void 0 && typeof data171.verify != "boolean") {
                    let err496 = { instancePath: instancePath + "/healthchecks/" + i18 + "/verify", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/verify/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    vErrors === null ? vErrors = [err496] : vErrors.push(err496), errors++;
                  }
                } else {
                  let err497 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err497] : vErrors.push(err497), errors++;
                }
                var props6 = !0;
              } else if (tag0 === "https") {
                if (data171 && typeof data171 == "object" && !Array.isArray(data171)) {
                  if (data171.type === void 0) {
                    let err498 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err498] : vErrors.push(err498), errors++;
                  }
                  if (data171.network === void 0) {
                    let err499 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err499] : vErrors.push(err499), errors++;
                  }
                  if (data171.port === void 0) {
                    let err500 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err500] : vErrors.push(err500), errors++;
                  }
                  if (data171.path === void 0) {
                    let err501 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
                    vErrors === null ? vErrors = [err501] : vErrors.push(err501), errors++;
                  }
                  if (data171.poll === void 0) {
                    let err502 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err502] : vErrors.push(err502), errors++;
                  }
                  if (data171.timeout === void 0) {
                    let err503 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err503] : vErrors.push(err503), errors++;
                  }
                  if (data171.retries === void 0) {
                    let err504 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err504] : vErrors.push(err504), errors++;
                  }
                  for (let key36 in data171)
                    if (!func1.call(schema31.properties.healthchecks.items.oneOf[0].properties, key36)) {
                      let err505 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key36 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err505] : vErrors.push(err505), errors++;
                    }
                  if (data171.type !== void 0) {
                    let data184 = data171.type;
                    if (typeof data184 != "string") {
                      let err506 = { instancePath: instancePath + "/healthchecks/" + i18 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err506] : vErrors.push(err506), errors++;
                    }
                    if (!(data184 === "http" || data184 === "https")) {
                      let err507 = { instancePath: instancePath + "/healthchecks/" + i18 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[0].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err507] : vErrors.push(err507), errors++;
                    }
                  }
                  if (data171.network !== void 0) {
                    let data185 = data171.network;
                    if (typeof data185 == "string") {
                      if (func2(data185) > 64) {
                        let err508 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err508] : vErrors.push(err508), errors++;
                      }
                      if (func2(data185) < 1) {
                        let err509 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err509] : vErrors.push(err509), errors++;
                      }
                      if (!pattern42.test(data185)) {
                        let err510 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err510] : vErrors.push(err510), errors++;
                      }
                    } else {
                      let err511 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err511] : vErrors.push(err511), errors++;
                    }
                  }
                  if (data171.port !== void 0) {
                    let data186 = data171.port;
                    if (!(typeof data186 == "number" && !(data186 % 1) && !isNaN(data186) && isFinite(data186))) {
                      let err512 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err512] : vErrors.push(err512), errors++;
                    }
                    if (typeof data186 == "number" && isFinite(data186)) {
                      if (data186 > 65535 || isNaN(data186)) {
                        let err513 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err513] : vErrors.push(err513), errors++;
                      }
                      if (data186 < 1 || isNaN(data186)) {
                        let err514 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err514] : vErrors.push(err514), errors++;
                      }
                    }
                  }
                  if (data171.path !== void 0) {
                    let data187 = data171.path;
                    if (typeof data187 == "string") {
                      if (!pattern11.test(data187)) {
                        let err515 = { instancePath: instancePath + "/healthchecks/" + i18 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
                        vErrors === null ? vErrors = [err515] : vErrors.push(err515), errors++;
                      }
                    } else {
                      let err516 = { instancePath: instancePath + "/healthchecks/" + i18 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err516] : vErrors.push(err516), errors++;
                    }
                  }
                  if (data171.poll !== void 0) {
                    let data188 = data171.poll;
                    if (typeof data188 == "number" && isFinite(data188)) {
                      if (data188 > 86400 || isNaN(data188)) {
                        let err517 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err517] : vErrors.push(err517), errors++;
                      }
                      if (data188 < 0.1 || isNaN(data188)) {
                        let err518 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err518] : vErrors.push(err518), errors++;
                      }
                    } else {
                      let err519 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err519] : vErrors.push(err519), errors++;
                    }
                  }
                  if (data171.timeout !== void 0) {
                    let data189 = data171.timeout;
                    if (typeof data189 == "number" && isFinite(data189)) {
                      if (data189 > 3600 || isNaN(data189)) {
                        let err520 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err520] : vErrors.push(err520), errors++;
                      }
                      if (data189 < 0.01 || isNaN(data189)) {
                        let err521 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err521] : vErrors.push(err521), errors++;
                      }
                    } else {
                      let err522 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err522] : vErrors.push(err522), errors++;
                    }
                  }
                  if (data171.retries !== void 0) {
                    let data190 = data171.retries;
                    if (!(typeof data190 == "number" && !(data190 % 1) && !isNaN(data190) && isFinite(data190))) {
                      let err523 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err523] : vErrors.push(err523), errors++;
                    }
                    if (typeof data190 == "number" && isFinite(data190)) {
                      if (data190 > 1e3 || isNaN(data190)) {
                        let err524 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err524] : vErrors.push(err524), errors++;
                      }
                      if (data190 < 1 || isNaN(data190)) {
                        let err525 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err525] : vErrors.push(err525), errors++;
                      }
                    }
                  }
                  if (data171.start_period !== void 0) {
                    let data191 = data171.start_period;
                    if (typeof data191 == "number" && isFinite(data191)) {
                      if (data191 > 86400 || isNaN(data191)) {
                        let err526 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err526] : vErrors.push(err526), errors++;
                      }
                      if (data191 < 0 || isNaN(data191)) {
                        let err527 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err527] : vErrors.push(err527), errors++;
                      }
                    } else {
                      let err528 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err528] : vErrors.push(err528), errors++;
                    }
                  }
                  if (data171.start_interval !== void 0) {
                    let data192 = data171.start_interval;
                    if (typeof data192 == "number" && isFinite(data192)) {
                      if (data192 > 86400 || isNaN(data192)) {
                        let err529 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err529] : vErrors.push(err529), errors++;
                      }
                      if (data192 < 0.1 || isNaN(data192)) {
                        let err530 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err530] : vErrors.push(err530), errors++;
                      }
                    } else {
                      let err531 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err531] : vErrors.push(err531), errors++;
                    }
                  }
                  if (data171.redirects !== void 0) {
                    let data193 = data171.redirects;
                    if (!(typeof data193 == "number" && !(data193 % 1) && !isNaN(data193) && isFinite(data193))) {
                      let err532 = { instancePath: instancePath + "/healthchecks/" + i18 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err532] : vErrors.push(err532), errors++;
                    }
                    if (typeof data193 == "number" && isFinite(data193)) {
                      if (data193 > 10 || isNaN(data193)) {
                        let err533 = { instancePath: instancePath + "/healthchecks/" + i18 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                        vErrors === null ? vErrors = [err533] : vErrors.push(err533), errors++;
                      }
                      if (data193 < 0 || isNaN(data193)) {
                        let err534 = { instancePath: instancePath + "/healthchecks/" + i18 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err534] : vErrors.push(err534), errors++;
                      }
                    }
                  }
                  if (data171.host !== void 0) {
                    let data194 = data171.host;
                    if (typeof data194 == "string") {
                      if (!pattern44.test(data194)) {
                        let err535 = { instancePath: instancePath + "/healthchecks/" + i18 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err535] : vErrors.push(err535), errors++;
                      }
                    } else {
                      let err536 = { instancePath: instancePath + "/healthchecks/" + i18 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err536] : vErrors.push(err536), errors++;
                    }
                  }
                  if (data171.verify !== void 0 && typeof data171.verify != "boolean") {
                    let err537 = { instancePath: instancePath + "/healthchecks/" + i18 + "/verify", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/verify/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    vErrors === null ? vErrors = [err537] : vErrors.push(err537), errors++;
                  }
                } else {
                  let err538 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err538] : vErrors.push(err538), errors++;
                }
                props6 !== !0 && (props6 = !0);
              } else if (tag0 === "tcp") {
                if (data171 && typeof data171 == "object" && !Array.isArray(data171)) {
                  if (data171.type === void 0) {
                    let err539 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err539] : vErrors.push(err539), errors++;
                  }
                  if (data171.network === void 0) {
                    let err540 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err540] : vErrors.push(err540), errors++;
                  }
                  if (data171.port === void 0) {
                    let err541 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err541] : vErrors.push(err541), errors++;
                  }
                  if (data171.poll === void 0) {
                    let err542 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err542] : vErrors.push(err542), errors++;
                  }
                  if (data171.timeout === void 0) {
                    let err543 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err543] : vErrors.push(err543), errors++;
                  }
                  if (data171.retries === void 0) {
                    let err544 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err544] : vErrors.push(err544), errors++;
                  }
                  for (let key37 in data171)
                    if (!(key37 === "type" || key37 === "network" || key37 === "port" || key37 === "poll" || key37 === "timeout" || key37 === "retries" || key37 === "start_period" || key37 === "start_interval")) {
                      let err545 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key37 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err545] : vErrors.push(err545), errors++;
                    }
                  if (data171.type !== void 0) {
                    let data196 = data171.type;
                    if (typeof data196 != "string") {
                      let err546 = { instancePath: instancePath + "/healthchecks/" + i18 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err546] : vErrors.push(err546), errors++;
                    }
                    if (data196 !== "tcp") {
                      let err547 = { instancePath: instancePath + "/healthchecks/" + i18 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err547] : vErrors.push(err547), errors++;
                    }
                  }
                  if (data171.network !== void 0) {
                    let data197 = data171.network;
                    if (typeof data197 == "string") {
                      if (func2(data197) > 64) {
                        let err548 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err548] : vErrors.push(err548), errors++;
                      }
                      if (func2(data197) < 1) {
                        let err549 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err549] : vErrors.push(err549), errors++;
                      }
                      if (!pattern42.test(data197)) {
                        let err550 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err550] : vErrors.push(err550), errors++;
                      }
                    } else {
                      let err551 = { instancePath: instancePath + "/healthchecks/" + i18 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err551] : vErrors.push(err551), errors++;
                    }
                  }
                  if (data171.port !== void 0) {
                    let data198 = data171.port;
                    if (!(typeof data198 == "number" && !(data198 % 1) && !isNaN(data198) && isFinite(data198))) {
                      let err552 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err552] : vErrors.push(err552), errors++;
                    }
                    if (typeof data198 == "number" && isFinite(data198)) {
                      if (data198 > 65535 || isNaN(data198)) {
                        let err553 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err553] : vErrors.push(err553), errors++;
                      }
                      if (data198 < 1 || isNaN(data198)) {
                        let err554 = { instancePath: instancePath + "/healthchecks/" + i18 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err554] : vErrors.push(err554), errors++;
                      }
                    }
                  }
                  if (data171.poll !== void 0) {
                    let data199 = data171.poll;
                    if (typeof data199 == "number" && isFinite(data199)) {
                      if (data199 > 86400 || isNaN(data199)) {
                        let err555 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err555] : vErrors.push(err555), errors++;
                      }
                      if (data199 < 0.1 || isNaN(data199)) {
                        let err556 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err556] : vErrors.push(err556), errors++;
                      }
                    } else {
                      let err557 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err557] : vErrors.push(err557), errors++;
                    }
                  }
                  if (data171.timeout !== void 0) {
                    let data200 = data171.timeout;
                    if (typeof data200 == "number" && isFinite(data200)) {
                      if (data200 > 3600 || isNaN(data200)) {
                        let err558 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err558] : vErrors.push(err558), errors++;
                      }
                      if (data200 < 0.01 || isNaN(data200)) {
                        let err559 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err559] : vErrors.push(err559), errors++;
                      }
                    } else {
                      let err560 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err560] : vErrors.push(err560), errors++;
                    }
                  }
                  if (data171.retries !== void 0) {
                    let data201 = data171.retries;
                    if (!(typeof data201 == "number" && !(data201 % 1) && !isNaN(data201) && isFinite(data201))) {
                      let err561 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err561] : vErrors.push(err561), errors++;
                    }
                    if (typeof data201 == "number" && isFinite(data201)) {
                      if (data201 > 1e3 || isNaN(data201)) {
                        let err562 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err562] : vErrors.push(err562), errors++;
                      }
                      if (data201 < 1 || isNaN(data201)) {
                        let err563 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err563] : vErrors.push(err563), errors++;
                      }
                    }
                  }
                  if (data171.start_period !== void 0) {
                    let data202 = data171.start_period;
                    if (typeof data202 == "number" && isFinite(data202)) {
                      if (data202 > 86400 || isNaN(data202)) {
                        let err564 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err564] : vErrors.push(err564), errors++;
                      }
                      if (data202 < 0 || isNaN(data202)) {
                        let err565 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err565] : vErrors.push(err565), errors++;
                      }
                    } else {
                      let err566 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err566] : vErrors.push(err566), errors++;
                    }
                  }
                  if (data171.start_interval !== void 0) {
                    let data203 = data171.start_interval;
                    if (typeof data203 == "number" && isFinite(data203)) {
                      if (data203 > 86400 || isNaN(data203)) {
                        let err567 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err567] : vErrors.push(err567), errors++;
                      }
                      if (data203 < 0.1 || isNaN(data203)) {
                        let err568 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err568] : vErrors.push(err568), errors++;
                      }
                    } else {
                      let err569 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err569] : vErrors.push(err569), errors++;
                    }
                  }
                } else {
                  let err570 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err570] : vErrors.push(err570), errors++;
                }
                props6 !== !0 && (props6 = !0);
              } else if (tag0 === "command") {
                if (data171 && typeof data171 == "object" && !Array.isArray(data171)) {
                  if (data171.type === void 0) {
                    let err571 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err571] : vErrors.push(err571), errors++;
                  }
                  if (data171.command === void 0) {
                    let err572 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "command" }, message: "must have required property 'command'" };
                    vErrors === null ? vErrors = [err572] : vErrors.push(err572), errors++;
                  }
                  if (data171.poll === void 0) {
                    let err573 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err573] : vErrors.push(err573), errors++;
                  }
                  if (data171.timeout === void 0) {
                    let err574 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err574] : vErrors.push(err574), errors++;
                  }
                  if (data171.retries === void 0) {
                    let err575 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err575] : vErrors.push(err575), errors++;
                  }
                  for (let key38 in data171)
                    if (!(key38 === "type" || key38 === "command" || key38 === "user" || key38 === "poll" || key38 === "timeout" || key38 === "retries" || key38 === "start_period" || key38 === "start_interval")) {
                      let err576 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/2/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key38 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err576] : vErrors.push(err576), errors++;
                    }
                  if (data171.type !== void 0) {
                    let data204 = data171.type;
                    if (typeof data204 != "string") {
                      let err577 = { instancePath: instancePath + "/healthchecks/" + i18 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err577] : vErrors.push(err577), errors++;
                    }
                    if (data204 !== "command") {
                      let err578 = { instancePath: instancePath + "/healthchecks/" + i18 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[2].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err578] : vErrors.push(err578), errors++;
                    }
                  }
                  if (data171.command !== void 0) {
                    let data205 = data171.command;
                    if (Array.isArray(data205)) {
                      if (data205.length < 1) {
                        let err579 = { instancePath: instancePath + "/healthchecks/" + i18 + "/command", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                        vErrors === null ? vErrors = [err579] : vErrors.push(err579), errors++;
                      }
                      let len19 = data205.length;
                      for (let i19 = 0; i19 < len19; i19++)
                        if (typeof data205[i19] != "string") {
                          let err580 = { instancePath: instancePath + "/healthchecks/" + i18 + "/command/" + i19, schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                          vErrors === null ? vErrors = [err580] : vErrors.push(err580), errors++;
                        }
                    } else {
                      let err581 = { instancePath: instancePath + "/healthchecks/" + i18 + "/command", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                      vErrors === null ? vErrors = [err581] : vErrors.push(err581), errors++;
                    }
                  }
                  if (data171.user !== void 0) {
                    let data207 = data171.user;
                    if (typeof data207 == "string") {
                      if (func2(data207) < 1) {
                        let err582 = { instancePath: instancePath + "/healthchecks/" + i18 + "/user", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/user/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err582] : vErrors.push(err582), errors++;
                      }
                    } else {
                      let err583 = { instancePath: instancePath + "/healthchecks/" + i18 + "/user", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/user/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err583] : vErrors.push(err583), errors++;
                    }
                  }
                  if (data171.poll !== void 0) {
                    let data208 = data171.poll;
                    if (typeof data208 == "number" && isFinite(data208)) {
                      if (data208 > 86400 || isNaN(data208)) {
                        let err584 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err584] : vErrors.push(err584), errors++;
                      }
                      if (data208 < 0.1 || isNaN(data208)) {
                        let err585 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err585] : vErrors.push(err585), errors++;
                      }
                    } else {
                      let err586 = { instancePath: instancePath + "/healthchecks/" + i18 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err586] : vErrors.push(err586), errors++;
                    }
                  }
                  if (data171.timeout !== void 0) {
                    let data209 = data171.timeout;
                    if (typeof data209 == "number" && isFinite(data209)) {
                      if (data209 > 3600 || isNaN(data209)) {
                        let err587 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err587] : vErrors.push(err587), errors++;
                      }
                      if (data209 < 0.01 || isNaN(data209)) {
                        let err588 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err588] : vErrors.push(err588), errors++;
                      }
                    } else {
                      let err589 = { instancePath: instancePath + "/healthchecks/" + i18 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err589] : vErrors.push(err589), errors++;
                    }
                  }
                  if (data171.retries !== void 0) {
                    let data210 = data171.retries;
                    if (!(typeof data210 == "number" && !(data210 % 1) && !isNaN(data210) && isFinite(data210))) {
                      let err590 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err590] : vErrors.push(err590), errors++;
                    }
                    if (typeof data210 == "number" && isFinite(data210)) {
                      if (data210 > 1e3 || isNaN(data210)) {
                        let err591 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err591] : vErrors.push(err591), errors++;
                      }
                      if (data210 < 1 || isNaN(data210)) {
                        let err592 = { instancePath: instancePath + "/healthchecks/" + i18 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err592] : vErrors.push(err592), errors++;
                      }
                    }
                  }
                  if (data171.start_period !== void 0) {
                    let data211 = data171.start_period;
                    if (typeof data211 == "number" && isFinite(data211)) {
                      if (data211 > 86400 || isNaN(data211)) {
                        let err593 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err593] : vErrors.push(err593), errors++;
                      }
                      if (data211 < 0 || isNaN(data211)) {
                        let err594 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err594] : vErrors.push(err594), errors++;
                      }
                    } else {
                      let err595 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err595] : vErrors.push(err595), errors++;
                    }
                  }
                  if (data171.start_interval !== void 0) {
                    let data212 = data171.start_interval;
                    if (typeof data212 == "number" && isFinite(data212)) {
                      if (data212 > 86400 || isNaN(data212)) {
                        let err596 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err596] : vErrors.push(err596), errors++;
                      }
                      if (data212 < 0.1 || isNaN(data212)) {
                        let err597 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err597] : vErrors.push(err597), errors++;
                      }
                    } else {
                      let err598 = { instancePath: instancePath + "/healthchecks/" + i18 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err598] : vErrors.push(err598), errors++;
                    }
                  }
                } else {
                  let err599 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/oneOf/2/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err599] : vErrors.push(err599), errors++;
                }
                props6 !== !0 && (props6 = !0);
              } else {
                let err600 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/discriminator", keyword: "discriminator", params: { error: "mapping", tag: "type", tagValue: tag0 }, message: 'value of tag "type" must be in oneOf' };
                vErrors === null ? vErrors = [err600] : vErrors.push(err600), errors++;
              }
            else {
              let err601 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/discriminator", keyword: "discriminator", params: { error: "tag", tag: "type", tagValue: tag0 }, message: 'tag "type" must be string' };
              vErrors === null ? vErrors = [err601] : vErrors.push(err601), errors++;
            }
          } else {
            let err602 = { instancePath: instancePath + "/healthchecks/" + i18, schemaPath: "#/properties/healthchecks/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err602] : vErrors.push(err602), errors++;
          }
        }
      } else {
        let err603 = { instancePath: instancePath + "/healthchecks", schemaPath: "#/properties/healthchecks/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err603] : vErrors.push(err603), errors++;
      }
    }
    if (data.containerpilot !== void 0) {
      let data213 = data.containerpilot;
      if (data213 && typeof data213 == "object" && !Array.isArray(data213)) {
        if (data213.port === void 0) {
          let err604 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
          vErrors === null ? vErrors = [err604] : vErrors.push(err604), errors++;
        }
        for (let key39 in data213)
          if (!(key39 === "network" || key39 === "port")) {
            let err605 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key39 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err605] : vErrors.push(err605), errors++;
          }
        if (data213.network !== void 0) {
          let data214 = data213.network;
          if (typeof data214 == "string") {
            if (func2(data214) > 64) {
              let err606 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              vErrors === null ? vErrors = [err606] : vErrors.push(err606), errors++;
            }
            if (func2(data214) < 1) {
              let err607 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err607] : vErrors.push(err607), errors++;
            }
            if (!pattern42.test(data214)) {
              let err608 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
              vErrors === null ? vErrors = [err608] : vErrors.push(err608), errors++;
            }
          } else {
            let err609 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err609] : vErrors.push(err609), errors++;
          }
        }
        if (data213.port !== void 0) {
          let data215 = data213.port;
          if (!(typeof data215 == "number" && !(data215 % 1) && !isNaN(data215) && isFinite(data215))) {
            let err610 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err610] : vErrors.push(err610), errors++;
          }
          if (typeof data215 == "number" && isFinite(data215)) {
            if (data215 > 65535 || isNaN(data215)) {
              let err611 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
              vErrors === null ? vErrors = [err611] : vErrors.push(err611), errors++;
            }
            if (data215 < 1 || isNaN(data215)) {
              let err612 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err612] : vErrors.push(err612), errors++;
            }
          }
        }
      } else {
        let err613 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err613] : vErrors.push(err613), errors++;
      }
    }
    if (data.autoscale !== void 0) {
      let data216 = data.autoscale;
      if (data216 && typeof data216 == "object" && !Array.isArray(data216)) {
        if (data216.enable === void 0) {
          let err614 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "enable" }, message: "must have required property 'enable'" };
          vErrors === null ? vErrors = [err614] : vErrors.push(err614), errors++;
        }
        if (data216.min === void 0) {
          let err615 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "min" }, message: "must have required property 'min'" };
          vErrors === null ? vErrors = [err615] : vErrors.push(err615), errors++;
        }
        if (data216.retrigger_delay === void 0) {
          let err616 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "retrigger_delay" }, message: "must have required property 'retrigger_delay'" };
          vErrors === null ? vErrors = [err616] : vErrors.push(err616), errors++;
        }
        if (data216.notify_email === void 0) {
          let err617 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "notify_email" }, message: "must have required property 'notify_email'" };
          vErrors === null ? vErrors = [err617] : vErrors.push(err617), errors++;
        }
        for (let key40 in data216)
          if (!(key40 === "enable" || key40 === "min" || key40 === "max" || key40 === "retrigger_delay" || key40 === "notify_email")) {
            let err618 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key40 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err618] : vErrors.push(err618), errors++;
          }
        if (data216.enable !== void 0) {
          let data217 = data216.enable;
          if (!(data217 === "notify" || data217 === !0 || data217 === !1)) {
            let err619 = { instancePath: instancePath + "/autoscale/enable", schemaPath: "#/properties/autoscale/properties/enable/enum", keyword: "enum", params: { allowedValues: schema31.properties.autoscale.properties.enable.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err619] : vErrors.push(err619), errors++;
          }
        }
        if (data216.min !== void 0) {
          let data218 = data216.min;
          if (!(typeof data218 == "number" && !(data218 % 1) && !isNaN(data218) && isFinite(data218))) {
            let err620 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err620] : vErrors.push(err620), errors++;
          }
          if (typeof data218 == "number" && isFinite(data218)) {
            if (data218 > 1e5 || isNaN(data218)) {
              let err621 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
              vErrors === null ? vErrors = [err621] : vErrors.push(err621), errors++;
            }
            if (data218 < 0 || isNaN(data218)) {
              let err622 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err622] : vErrors.push(err622), errors++;
            }
          }
        }
        if (data216.max !== void 0) {
          let data219 = data216.max;
          if (!(typeof data219 == "number" && !(data219 % 1) && !isNaN(data219) && isFinite(data219))) {
            let err623 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err623] : vErrors.push(err623), errors++;
          }
          if (typeof data219 == "number" && isFinite(data219)) {
            if (data219 > 1e5 || isNaN(data219)) {
              let err624 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
              vErrors === null ? vErrors = [err624] : vErrors.push(err624), errors++;
            }
            if (data219 < 1 || isNaN(data219)) {
              let err625 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err625] : vErrors.push(err625), errors++;
            }
          }
        }
        if (data216.retrigger_delay !== void 0) {
          let data220 = data216.retrigger_delay;
          if (typeof data220 == "number" && isFinite(data220)) {
            if (data220 > 86400 || isNaN(data220)) {
              let err626 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
              vErrors === null ? vErrors = [err626] : vErrors.push(err626), errors++;
            }
            if (data220 < 0 || isNaN(data220)) {
              let err627 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err627] : vErrors.push(err627), errors++;
            }
          } else {
            let err628 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/type", keyword: "type", params: { type: "number" }, message: "must be number" };
            vErrors === null ? vErrors = [err628] : vErrors.push(err628), errors++;
          }
        }
        if (data216.notify_email !== void 0) {
          let data221 = data216.notify_email;
          if (Array.isArray(data221)) {
            if (data221.length > 20) {
              let err629 = { instancePath: instancePath + "/autoscale/notify_email", schemaPath: "#/properties/autoscale/properties/notify_email/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              vErrors === null ? vErrors = [err629] : vErrors.push(err629), errors++;
            }
            let len20 = data221.length;
            for (let i20 = 0; i20 < len20; i20++) {
              let data222 = data221[i20];
              if (typeof data222 == "string") {
                if (func2(data222) > 254) {
                  let err630 = { instancePath: instancePath + "/autoscale/notify_email/" + i20, schemaPath: "#/properties/autoscale/properties/notify_email/items/maxLength", keyword: "maxLength", params: { limit: 254 }, message: "must NOT have more than 254 characters" };
                  vErrors === null ? vErrors = [err630] : vErrors.push(err630), errors++;
                }
                if (!pattern50.test(data222)) {
                  let err631 = { instancePath: instancePath + "/autoscale/notify_email/" + i20, schemaPath: "#/properties/autoscale/properties/notify_email/items/pattern", keyword: "pattern", params: { pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$" }, message: 'must match pattern "^[^\\s@<>,;]+@[^\\s@<>,;]+$"' };
                  vErrors === null ? vErrors = [err631] : vErrors.push(err631), errors++;
                }
              } else {
                let err632 = { instancePath: instancePath + "/autoscale/notify_email/" + i20, schemaPath: "#/properties/autoscale/properties/notify_email/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err632] : vErrors.push(err632), errors++;
              }
            }
          } else {
            let err633 = { instancePath: instancePath + "/autoscale/notify_email", schemaPath: "#/properties/autoscale/properties/notify_email/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err633] : vErrors.push(err633), errors++;
          }
        }
      } else {
        let err634 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err634] : vErrors.push(err634), errors++;
      }
    }
    if (data.triggers !== void 0) {
      let data223 = data.triggers;
      if (Array.isArray(data223)) {
        if (data223.length > 50) {
          let err635 = { instancePath: instancePath + "/triggers", schemaPath: "#/properties/triggers/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
          vErrors === null ? vErrors = [err635] : vErrors.push(err635), errors++;
        }
        let len21 = data223.length;
        for (let i21 = 0; i21 < len21; i21++) {
          let data224 = data223[i21];
          if (!(data224 && typeof data224 == "object" && !Array.isArray(data224))) {
            let err636 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err636] : vErrors.push(err636), errors++;
          }
          let _errs494 = errors, valid90 = !0, _errs495 = errors, _errs496 = errors, valid91 = !1, _errs497 = errors;
          if (data224 && typeof data224 == "object" && !Array.isArray(data224)) {
            let missing0;
            if (data224.url === void 0 && (missing0 = "url")) {
              let err637 = {};
              vErrors === null ? vErrors = [err637] : vErrors.push(err637), errors++;
            }
          }
          var _valid1 = _errs497 === errors;
          valid91 = valid91 || _valid1;
          let _errs498 = errors;
          if (data224 && typeof data224 == "object" && !Array.isArray(data224)) {
            let missing1;
            if (data224.secret === void 0 && (missing1 = "secret")) {
              let err638 = {};
              vErrors === null ? vErrors = [err638] : vErrors.push(err638), errors++;
            }
          }
          var _valid1 = _errs498 === errors;
          if (valid91 = valid91 || _valid1, valid91)
            errors = _errs496, vErrors !== null && (_errs496 ? vErrors.length = _errs496 : vErrors = null);
          else {
            let err639 = {};
            vErrors === null ? vErrors = [err639] : vErrors.push(err639), errors++;
          }
          var _valid0 = _errs495 === errors;
          errors = _errs494, vErrors !== null && (_errs494 ? vErrors.length = _errs494 : vErrors = null);
          let ifClause0;
          if (_valid0) {
            let _errs499 = errors;
            if (data224 && typeof data224 == "object" && !Array.isArray(data224)) {
              if (data224.name === void 0) {
                let err640 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                vErrors === null ? vErrors = [err640] : vErrors.push(err640), errors++;
              }
              if (data224.url === void 0) {
                let err641 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
                vErrors === null ? vErrors = [err641] : vErrors.push(err641), errors++;
              }
              if (data224.action === void 0) {
                let err642 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
                vErrors === null ? vErrors = [err642] : vErrors.push(err642), errors++;
              }
              for (let key41 in data224)
                if (!(key41 === "name" || key41 === "url" || key41 === "secret" || key41 === "action" || key41 === "scale" || key41 === "instances")) {
                  let err643 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/then/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key41 }, message: "must NOT have additional properties" };
                  vErrors === null ? vErrors = [err643] : vErrors.push(err643), errors++;
                }
              if (data224.name !== void 0) {
                let data225 = data224.name;
                if (typeof data225 == "string") {
                  if (!pattern42.test(data225)) {
                    let err644 = { instancePath: instancePath + "/triggers/" + i21 + "/name", schemaPath: "#/properties/triggers/items/then/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                    vErrors === null ? vErrors = [err644] : vErrors.push(err644), errors++;
                  }
                } else {
                  let err645 = { instancePath: instancePath + "/triggers/" + i21 + "/name", schemaPath: "#/properties/triggers/items/then/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err645] : vErrors.push(err645), errors++;
                }
              }
              if (data224.url !== void 0 && data224.url !== !0) {
                let err646 = { instancePath: instancePath + "/triggers/" + i21 + "/url", schemaPath: "#/properties/triggers/items/then/properties/url/const", keyword: "const", params: { allowedValue: !0 }, message: "must be equal to constant" };
                vErrors === null ? vErrors = [err646] : vErrors.push(err646), errors++;
              }
              if (data224.secret !== void 0) {
                let data227 = data224.secret;
                if (typeof data227 == "string") {
                  if (func2(data227) > 256) {
                    let err647 = { instancePath: instancePath + "/triggers/" + i21 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                    vErrors === null ? vErrors = [err647] : vErrors.push(err647), errors++;
                  }
                  if (func2(data227) < 8) {
                    let err648 = { instancePath: instancePath + "/triggers/" + i21 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/minLength", keyword: "minLength", params: { limit: 8 }, message: "must NOT have fewer than 8 characters" };
                    vErrors === null ? vErrors = [err648] : vErrors.push(err648), errors++;
                  }
                  if (!pattern52.test(data227)) {
                    let err649 = { instancePath: instancePath + "/triggers/" + i21 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/pattern", keyword: "pattern", params: { pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$" }, message: 'must match pattern "^([\\x21-\\x7e]+|meta\\.[^]+)$"' };
                    vErrors === null ? vErrors = [err649] : vErrors.push(err649), errors++;
                  }
                } else {
                  let err650 = { instancePath: instancePath + "/triggers/" + i21 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err650] : vErrors.push(err650), errors++;
                }
              }
              if (data224.action !== void 0) {
                let data228 = data224.action;
                if (typeof data228 != "string") {
                  let err651 = { instancePath: instancePath + "/triggers/" + i21 + "/action", schemaPath: "#/properties/triggers/items/then/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err651] : vErrors.push(err651), errors++;
                }
                if (!(data228 === "start" || data228 === "stop" || data228 === "scale")) {
                  let err652 = { instancePath: instancePath + "/triggers/" + i21 + "/action", schemaPath: "#/properties/triggers/items/then/properties/action/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.then.properties.action.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err652] : vErrors.push(err652), errors++;
                }
              }
              if (data224.scale !== void 0) {
                let data229 = data224.scale;
                if (!(typeof data229 == "number" && !(data229 % 1) && !isNaN(data229) && isFinite(data229))) {
                  let err653 = { instancePath: instancePath + "/triggers/" + i21 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err653] : vErrors.push(err653), errors++;
                }
                if (typeof data229 == "number" && isFinite(data229)) {
                  if (data229 > 1e5 || isNaN(data229)) {
                    let err654 = { instancePath: instancePath + "/triggers/" + i21 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
                    vErrors === null ? vErrors = [err654] : vErrors.push(err654), errors++;
                  }
                  if (data229 < 0 || isNaN(data229)) {
                    let err655 = { instancePath: instancePath + "/triggers/" + i21 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err655] : vErrors.push(err655), errors++;
                  }
                }
              }
              if (data224.instances !== void 0) {
                let data230 = data224.instances;
                if (!(typeof data230 == "number" && !(data230 % 1) && !isNaN(data230) && isFinite(data230))) {
                  let err656 = { instancePath: instancePath + "/triggers/" + i21 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err656] : vErrors.push(err656), errors++;
                }
                if (typeof data230 == "number" && isFinite(data230)) {
                  if (data230 > 1e4 || isNaN(data230)) {
                    let err657 = { instancePath: instancePath + "/triggers/" + i21 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" };
                    vErrors === null ? vErrors = [err657] : vErrors.push(err657), errors++;
                  }
                  if (data230 < -1e4 || isNaN(data230)) {
                    let err658 = { instancePath: instancePath + "/triggers/" + i21 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1e4 }, message: "must be >= -10000" };
                    vErrors === null ? vErrors = [err658] : vErrors.push(err658), errors++;
                  }
                }
              }
            } else {
              let err659 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/then/type", keyword: "type", params: { type: "object" }, message: "must be object" };
              vErrors === null ? vErrors = [err659] : vErrors.push(err659), errors++;
            }
            var _valid0 = _errs499 === errors;
            if (valid90 = _valid0, valid90)
              var props7 = !0;
            ifClause0 = "then";
          } else {
            let _errs513 = errors;
            if (data224 && typeof data224 == "object" && !Array.isArray(data224)) {
              if (data224.name === void 0) {
                let err660 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                vErrors === null ? vErrors = [err660] : vErrors.push(err660), errors++;
              }
              if (data224.source === void 0) {
                let err661 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "source" }, message: "must have required property 'source'" };
                vErrors === null ? vErrors = [err661] : vErrors.push(err661), errors++;
              }
              if (data224.operator === void 0) {
                let err662 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "operator" }, message: "must have required property 'operator'" };
                vErrors === null ? vErrors = [err662] : vErrors.push(err662), errors++;
              }
              if (data224.value === void 0) {
                let err663 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
                vErrors === null ? vErrors = [err663] : vErrors.push(err663), errors++;
              }
              if (data224.percent === void 0) {
                let err664 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "percent" }, message: "must have required property 'percent'" };
                vErrors === null ? vErrors = [err664] : vErrors.push(err664), errors++;
              }
              if (data224.time === void 0) {
                let err665 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "time" }, message: "must have required property 'time'" };
                vErrors === null ? vErrors = [err665] : vErrors.push(err665), errors++;
              }
              if (data224.aggregate === void 0) {
                let err666 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "aggregate" }, message: "must have required property 'aggregate'" };
                vErrors === null ? vErrors = [err666] : vErrors.push(err666), errors++;
              }
              if (data224.action === void 0) {
                let err667 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
                vErrors === null ? vErrors = [err667] : vErrors.push(err667), errors++;
              }
              if (data224.instances === void 0) {
                let err668 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "instances" }, message: "must have required property 'instances'" };
                vErrors === null ? vErrors = [err668] : vErrors.push(err668), errors++;
              }
              for (let key42 in data224)
                if (!func1.call(schema31.properties.triggers.items.else.properties, key42)) {
                  let err669 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key42 }, message: "must NOT have additional properties" };
                  vErrors === null ? vErrors = [err669] : vErrors.push(err669), errors++;
                }
              if (data224.name !== void 0) {
                let data231 = data224.name;
                if (typeof data231 == "string") {
                  if (!pattern42.test(data231)) {
                    let err670 = { instancePath: instancePath + "/triggers/" + i21 + "/name", schemaPath: "#/properties/triggers/items/else/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                    vErrors === null ? vErrors = [err670] : vErrors.push(err670), errors++;
                  }
                } else {
                  let err671 = { instancePath: instancePath + "/triggers/" + i21 + "/name", schemaPath: "#/properties/triggers/items/else/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err671] : vErrors.push(err671), errors++;
                }
              }
              if (data224.source !== void 0) {
                let data232 = data224.source;
                if (typeof data232 == "string") {
                  if (!pattern54.test(data232)) {
                    let err672 = { instancePath: instancePath + "/triggers/" + i21 + "/source", schemaPath: "#/properties/triggers/items/else/properties/source/pattern", keyword: "pattern", params: { pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$" }, message: 'must match pattern "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$"' };
                    vErrors === null ? vErrors = [err672] : vErrors.push(err672), errors++;
                  }
                } else {
                  let err673 = { instancePath: instancePath + "/triggers/" + i21 + "/source", schemaPath: "#/properties/triggers/items/else/properties/source/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err673] : vErrors.push(err673), errors++;
                }
              }
              if (data224.operator !== void 0) {
                let data233 = data224.operator;
                if (typeof data233 != "string") {
                  let err674 = { instancePath: instancePath + "/triggers/" + i21 + "/operator", schemaPath: "#/properties/triggers/items/else/properties/operator/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err674] : vErrors.push(err674), errors++;
                }
                if (!(data233 === "<" || data233 === "<=" || data233 === ">" || data233 === ">=" || data233 === "==" || data233 === "!=")) {
                  let err675 = { instancePath: instancePath + "/triggers/" + i21 + "/operator", schemaPath: "#/properties/triggers/items/else/properties/operator/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.operator.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err675] : vErrors.push(err675), errors++;
                }
              }
              if (data224.value !== void 0) {
                let data234 = data224.value;
                if (!(typeof data234 == "number" && isFinite(data234))) {
                  let err676 = { instancePath: instancePath + "/triggers/" + i21 + "/value", schemaPath: "#/properties/triggers/items/else/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                  vErrors === null ? vErrors = [err676] : vErrors.push(err676), errors++;
                }
              }
              if (data224.percent !== void 0 && typeof data224.percent != "boolean") {
                let err677 = { instancePath: instancePath + "/triggers/" + i21 + "/percent", schemaPath: "#/properties/triggers/items/else/properties/percent/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                vErrors === null ? vErrors = [err677] : vErrors.push(err677), errors++;
              }
              if (data224.time !== void 0) {
                let data236 = data224.time;
                if (typeof data236 == "number" && isFinite(data236)) {
                  if (data236 > 86400 || isNaN(data236)) {
                    let err678 = { instancePath: instancePath + "/triggers/" + i21 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                    vErrors === null ? vErrors = [err678] : vErrors.push(err678), errors++;
                  }
                  if (data236 < 1 || isNaN(data236)) {
                    let err679 = { instancePath: instancePath + "/triggers/" + i21 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                    vErrors === null ? vErrors = [err679] : vErrors.push(err679), errors++;
                  }
                } else {
                  let err680 = { instancePath: instancePath + "/triggers/" + i21 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                  vErrors === null ? vErrors = [err680] : vErrors.push(err680), errors++;
                }
              }
              if (data224.aggregate !== void 0) {
                let data237 = data224.aggregate;
                if (typeof data237 != "string") {
                  let err681 = { instancePath: instancePath + "/triggers/" + i21 + "/aggregate", schemaPath: "#/properties/triggers/items/else/properties/aggregate/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err681] : vErrors.push(err681), errors++;
                }
                if (!(data237 === "avg" || data237 === "min" || data237 === "max" || data237 === "sum" || data237 === "p90")) {
                  let err682 = { instancePath: instancePath + "/triggers/" + i21 + "/aggregate", schemaPath: "#/properties/triggers/items/else/properties/aggregate/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.aggregate.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err682] : vErrors.push(err682), errors++;
                }
              }
              if (data224.action !== void 0) {
                let data238 = data224.action;
                if (typeof data238 != "string") {
                  let err683 = { instancePath: instancePath + "/triggers/" + i21 + "/action", schemaPath: "#/properties/triggers/items/else/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err683] : vErrors.push(err683), errors++;
                }
                if (!(data238 === "increment" || data238 === "decrement")) {
                  let err684 = { instancePath: instancePath + "/triggers/" + i21 + "/action", schemaPath: "#/properties/triggers/items/else/properties/action/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.action.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err684] : vErrors.push(err684), errors++;
                }
              }
              if (data224.instances !== void 0) {
                let data239 = data224.instances;
                if (!(typeof data239 == "number" && !(data239 % 1) && !isNaN(data239) && isFinite(data239))) {
                  let err685 = { instancePath: instancePath + "/triggers/" + i21 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err685] : vErrors.push(err685), errors++;
                }
                if (typeof data239 == "number" && isFinite(data239)) {
                  if (data239 > 1e4 || isNaN(data239)) {
                    let err686 = { instancePath: instancePath + "/triggers/" + i21 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" };
                    vErrors === null ? vErrors = [err686] : vErrors.push(err686), errors++;
                  }
                  if (data239 < 1 || isNaN(data239)) {
                    let err687 = { instancePath: instancePath + "/triggers/" + i21 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                    vErrors === null ? vErrors = [err687] : vErrors.push(err687), errors++;
                  }
                }
              }
            } else {
              let err688 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/else/type", keyword: "type", params: { type: "object" }, message: "must be object" };
              vErrors === null ? vErrors = [err688] : vErrors.push(err688), errors++;
            }
            var _valid0 = _errs513 === errors;
            valid90 = _valid0, valid90 && props7 !== !0 && (props7 = !0), ifClause0 = "else";
          }
          if (!valid90) {
            let err689 = { instancePath: instancePath + "/triggers/" + i21, schemaPath: "#/properties/triggers/items/if", keyword: "if", params: { failingKeyword: ifClause0 }, message: 'must match "' + ifClause0 + '" schema' };
            vErrors === null ? vErrors = [err689] : vErrors.push(err689), errors++;
          }
        }
      } else {
        let err690 = { instancePath: instancePath + "/triggers", schemaPath: "#/properties/triggers/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err690] : vErrors.push(err690), errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data240 = data.webhooks;
      if (Array.isArray(data240)) {
        if (data240.length > 20) {
          let err691 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err691] : vErrors.push(err691), errors++;
        }
        let len22 = data240.length;
        for (let i22 = 0; i22 < len22; i22++) {
          let data241 = data240[i22];
          if (data241 && typeof data241 == "object" && !Array.isArray(data241)) {
            if (data241.url === void 0) {
              let err692 = { instancePath: instancePath + "/webhooks/" + i22, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
              vErrors === null ? vErrors = [err692] : vErrors.push(err692), errors++;
            }
            if (data241.events === void 0) {
              let err693 = { instancePath: instancePath + "/webhooks/" + i22, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "events" }, message: "must have required property 'events'" };
              vErrors === null ? vErrors = [err693] : vErrors.push(err693), errors++;
            }
            if (data241.headers === void 0) {
              let err694 = { instancePath: instancePath + "/webhooks/" + i22, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
              vErrors === null ? vErrors = [err694] : vErrors.push(err694), errors++;
            }
            if (data241.allow_private === void 0) {
              let err695 = { instancePath: instancePath + "/webhooks/" + i22, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "allow_private" }, message: "must have required property 'allow_private'" };
              vErrors === null ? vErrors = [err695] : vErrors.push(err695), errors++;
            }
            for (let key43 in data241)
              if (!(key43 === "url" || key43 === "events" || key43 === "secret" || key43 === "headers" || key43 === "allow_private")) {
                let err696 = { instancePath: instancePath + "/webhooks/" + i22, schemaPath: "#/properties/webhooks/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key43 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err696] : vErrors.push(err696), errors++;
              }
            if (data241.url !== void 0) {
              let data242 = data241.url;
              if (typeof data242 == "string") {
                if (func2(data242) > 2048) {
                  let err697 = { instancePath: instancePath + "/webhooks/" + i22 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/maxLength", keyword: "maxLength", params: { limit: 2048 }, message: "must NOT have more than 2048 characters" };
                  vErrors === null ? vErrors = [err697] : vErrors.push(err697), errors++;
                }
                if (!pattern55.test(data242)) {
                  let err698 = { instancePath: instancePath + "/webhooks/" + i22 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/pattern", keyword: "pattern", params: { pattern: "^https?://[^\\s/?#]+\\S*$" }, message: 'must match pattern "^https?://[^\\s/?#]+\\S*$"' };
                  vErrors === null ? vErrors = [err698] : vErrors.push(err698), errors++;
                }
              } else {
                let err699 = { instancePath: instancePath + "/webhooks/" + i22 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err699] : vErrors.push(err699), errors++;
              }
            }
            if (data241.events !== void 0) {
              let data243 = data241.events;
              if (Array.isArray(data243)) {
                if (data243.length < 1) {
                  let err700 = { instancePath: instancePath + "/webhooks/" + i22 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                  vErrors === null ? vErrors = [err700] : vErrors.push(err700), errors++;
                }
                let len23 = data243.length;
                for (let i23 = 0; i23 < len23; i23++) {
                  let data244 = data243[i23];
                  if (typeof data244 != "string") {
                    let err701 = { instancePath: instancePath + "/webhooks/" + i22 + "/events/" + i23, schemaPath: "#/properties/webhooks/items/properties/events/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err701] : vErrors.push(err701), errors++;
                  }
                  if (!(data244 === "start" || data244 === "stop" || data244 === "health" || data244 === "scale" || data244 === "deploy")) {
                    let err702 = { instancePath: instancePath + "/webhooks/" + i22 + "/events/" + i23, schemaPath: "#/properties/webhooks/items/properties/events/items/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.items.properties.events.items.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err702] : vErrors.push(err702), errors++;
                  }
                }
                let i24 = data243.length, j0;
                if (i24 > 1) {
                  let indices0 = {};
                  for (; i24--; ) {
                    let item0 = data243[i24];
                    if (typeof item0 == "string") {
                      if (typeof indices0[item0] == "number") {
                        j0 = indices0[item0];
                        let err703 = { instancePath: instancePath + "/webhooks/" + i22 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/uniqueItems", keyword: "uniqueItems", params: { i: i24, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i24 + " are identical)" };
                        vErrors === null ? vErrors = [err703] : vErrors.push(err703), errors++;
                        break;
                      }
                      indices0[item0] = i24;
                    }
                  }
                }
              } else {
                let err704 = { instancePath: instancePath + "/webhooks/" + i22 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                vErrors === null ? vErrors = [err704] : vErrors.push(err704), errors++;
              }
            }
            if (data241.secret !== void 0) {
              let data245 = data241.secret;
              if (typeof data245 == "string") {
                if (!pattern56.test(data245)) {
                  let err705 = { instancePath: instancePath + "/webhooks/" + i22 + "/secret", schemaPath: "#/properties/webhooks/items/properties/secret/pattern", keyword: "pattern", params: { pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$" }, message: 'must match pattern "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$"' };
                  vErrors === null ? vErrors = [err705] : vErrors.push(err705), errors++;
                }
              } else {
                let err706 = { instancePath: instancePath + "/webhooks/" + i22 + "/secret", schemaPath: "#/properties/webhooks/items/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err706] : vErrors.push(err706), errors++;
              }
            }
            if (data241.headers !== void 0) {
              let data246 = data241.headers;
              if (data246 && typeof data246 == "object" && !Array.isArray(data246)) {
                var props8 = {};
                for (let key44 in data246)
                  if (pattern8.test(key44)) {
                    if (typeof data246[key44] != "string") {
                      let err707 = { instancePath: instancePath + "/webhooks/" + i22 + "/headers/" + key44.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/items/properties/headers/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err707] : vErrors.push(err707), errors++;
                    }
                    props8[key44] = !0;
                  }
              } else {
                let err708 = { instancePath: instancePath + "/webhooks/" + i22 + "/headers", schemaPath: "#/properties/webhooks/items/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err708] : vErrors.push(err708), errors++;
              }
            }
            if (data241.allow_private !== void 0 && typeof data241.allow_private != "boolean") {
              let err709 = { instancePath: instancePath + "/webhooks/" + i22 + "/allow_private", schemaPath: "#/properties/webhooks/items/properties/allow_private/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err709] : vErrors.push(err709), errors++;
            }
          } else {
            let err710 = { instancePath: instancePath + "/webhooks/" + i22, schemaPath: "#/properties/webhooks/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err710] : vErrors.push(err710), errors++;
          }
        }
      } else {
        let err711 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err711] : vErrors.push(err711), errors++;
      }
    }
    if (data.schedule !== void 0) {
      let data249 = data.schedule;
      if (data249 && typeof data249 == "object" && !Array.isArray(data249)) {
        if (data249.kind === void 0) {
          let err712 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
          vErrors === null ? vErrors = [err712] : vErrors.push(err712), errors++;
        }
        if (data249.expression === void 0) {
          let err713 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "expression" }, message: "must have required property 'expression'" };
          vErrors === null ? vErrors = [err713] : vErrors.push(err713), errors++;
        }
        if (data249.overlap === void 0) {
          let err714 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "overlap" }, message: "must have required property 'overlap'" };
          vErrors === null ? vErrors = [err714] : vErrors.push(err714), errors++;
        }
        for (let key45 in data249)
          if (!(key45 === "kind" || key45 === "expression" || key45 === "epsilon" || key45 === "timezone" || key45 === "overlap")) {
            let err715 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key45 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err715] : vErrors.push(err715), errors++;
          }
        if (data249.kind !== void 0) {
          let data250 = data249.kind;
          if (typeof data250 != "string") {
            let err716 = { instancePath: instancePath + "/schedule/kind", schemaPath: "#/properties/schedule/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err716] : vErrors.push(err716), errors++;
          }
          if (!(data250 === "interval" || data250 === "cron")) {
            let err717 = { instancePath: instancePath + "/schedule/kind", schemaPath: "#/properties/schedule/properties/kind/enum", keyword: "enum", params: { allowedValues: schema31.properties.schedule.properties.kind.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err717] : vErrors.push(err717), errors++;
          }
        }
        if (data249.expression !== void 0) {
          let data251 = data249.expression;
          if (typeof data251 == "string") {
            if (func2(data251) > 256) {
              let err718 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
              vErrors === null ? vErrors = [err718] : vErrors.push(err718), errors++;
            }
            if (func2(data251) < 1) {
              let err719 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err719] : vErrors.push(err719), errors++;
            }
          } else {
            let err720 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err720] : vErrors.push(err720), errors++;
          }
        }
        if (data249.epsilon !== void 0) {
          let data252 = data249.epsilon;
          if (typeof data252 == "number" && isFinite(data252)) {
            if (data252 > 31536e3 || isNaN(data252)) {
              let err721 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/maximum", keyword: "maximum", params: { comparison: "<=", limit: 31536e3 }, message: "must be <= 31536000" };
              vErrors === null ? vErrors = [err721] : vErrors.push(err721), errors++;
            }
            if (data252 < 1 || isNaN(data252)) {
              let err722 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err722] : vErrors.push(err722), errors++;
            }
          } else {
            let err723 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/type", keyword: "type", params: { type: "number" }, message: "must be number" };
            vErrors === null ? vErrors = [err723] : vErrors.push(err723), errors++;
          }
        }
        if (data249.timezone !== void 0) {
          let data253 = data249.timezone;
          if (typeof data253 == "string") {
            if (func2(data253) < 1) {
              let err724 = { instancePath: instancePath + "/schedule/timezone", schemaPath: "#/properties/schedule/properties/timezone/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err724] : vErrors.push(err724), errors++;
            }
          } else {
            let err725 = { instancePath: instancePath + "/schedule/timezone", schemaPath: "#/properties/schedule/properties/timezone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err725] : vErrors.push(err725), errors++;
          }
        }
        if (data249.overlap !== void 0) {
          let data254 = data249.overlap;
          if (typeof data254 != "string") {
            let err726 = { instancePath: instancePath + "/schedule/overlap", schemaPath: "#/properties/schedule/properties/overlap/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err726] : vErrors.push(err726), errors++;
          }
          if (!(data254 === "skip" || data254 === "allow" || data254 === "replace")) {
            let err727 = { instancePath: instancePath + "/schedule/overlap", schemaPath: "#/properties/schedule/properties/overlap/enum", keyword: "enum", params: { allowedValues: schema31.properties.schedule.properties.overlap.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err727] : vErrors.push(err727), errors++;
          }
        }
      } else {
        let err728 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err728] : vErrors.push(err728), errors++;
      }
    }
  } else {
    let err729 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err729] : vErrors.push(err729), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
validate20.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var checkPackages = validate21;
var pattern58 = new RegExp("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "u"), pattern59 = new RegExp("^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$", "u");
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate21.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.packages === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "packages" }, message: "must have required property 'packages'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (key0 !== "packages") {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.packages !== void 0) {
      let data0 = data.packages;
      if (Array.isArray(data0)) {
        if (data0.length > 1e3) {
          let err2 = { instancePath: instancePath + "/packages", schemaPath: "#/properties/packages/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
        let len0 = data0.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data1 = data0[i0];
          if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
            if (data1.name === void 0) {
              let err3 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
              vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
            }
            if (data1.family === void 0) {
              let err4 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "family" }, message: "must have required property 'family'" };
              vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
            }
            if (data1.ram === void 0) {
              let err5 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "ram" }, message: "must have required property 'ram'" };
              vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
            }
            if (data1.disk === void 0) {
              let err6 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "disk" }, message: "must have required property 'disk'" };
              vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
            }
            if (data1.cpu === void 0) {
              let err7 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "cpu" }, message: "must have required property 'cpu'" };
              vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
            }
            for (let key1 in data1)
              if (!(key1 === "uuid" || key1 === "name" || key1 === "family" || key1 === "ram" || key1 === "disk" || key1 === "cpu")) {
                let err8 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
              }
            if (data1.uuid !== void 0) {
              let data2 = data1.uuid;
              if (typeof data2 == "string") {
                if (!pattern58.test(data2)) {
                  let err9 = { instancePath: instancePath + "/packages/" + i0 + "/uuid", schemaPath: "#/properties/packages/items/properties/uuid/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" }, message: 'must match pattern "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"' };
                  vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
                }
              } else {
                let err10 = { instancePath: instancePath + "/packages/" + i0 + "/uuid", schemaPath: "#/properties/packages/items/properties/uuid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
              }
            }
            if (data1.name !== void 0) {
              let data3 = data1.name;
              if (typeof data3 == "string") {
                if (func2(data3) > 128) {
                  let err11 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
                  vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
                }
                if (!pattern59.test(data3)) {
                  let err12 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$" }, message: 'must match pattern "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$"' };
                  vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
                }
              } else {
                let err13 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
              }
            }
            if (data1.family !== void 0) {
              let data4 = data1.family;
              if (typeof data4 == "string") {
                if (!pattern7.test(data4)) {
                  let err14 = { instancePath: instancePath + "/packages/" + i0 + "/family", schemaPath: "#/properties/packages/items/properties/family/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_.-]*$"' };
                  vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
                }
              } else {
                let err15 = { instancePath: instancePath + "/packages/" + i0 + "/family", schemaPath: "#/properties/packages/items/properties/family/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
              }
            }
            if (data1.ram !== void 0) {
              let data5 = data1.ram;
              if (!(typeof data5 == "number" && !(data5 % 1) && !isNaN(data5) && isFinite(data5))) {
                let err16 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
              }
              if (typeof data5 == "number" && isFinite(data5)) {
                if (data5 > 1073741824 || isNaN(data5)) {
                  let err17 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1073741824 }, message: "must be <= 1073741824" };
                  vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
                }
                if (data5 < 1 || isNaN(data5)) {
                  let err18 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
                }
              }
            }
            if (data1.disk !== void 0) {
              let data6 = data1.disk;
              if (!(typeof data6 == "number" && !(data6 % 1) && !isNaN(data6) && isFinite(data6))) {
                let err19 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
              }
              if (typeof data6 == "number" && isFinite(data6)) {
                if (data6 > 1073741824 || isNaN(data6)) {
                  let err20 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1073741824 }, message: "must be <= 1073741824" };
                  vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
                }
                if (data6 < 1 || isNaN(data6)) {
                  let err21 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
                }
              }
            }
            if (data1.cpu !== void 0) {
              let data7 = data1.cpu;
              if (!(typeof data7 == "number" && !(data7 % 1) && !isNaN(data7) && isFinite(data7))) {
                let err22 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
              }
              if (typeof data7 == "number" && isFinite(data7)) {
                if (data7 > 1e6 || isNaN(data7)) {
                  let err23 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
                  vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
                }
                if (data7 < 1 || isNaN(data7)) {
                  let err24 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
                }
              }
            }
          } else {
            let err25 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
          }
        }
      } else {
        let err26 = { instancePath: instancePath + "/packages", schemaPath: "#/properties/packages/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
      }
    }
  } else {
    let err27 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}
validate21.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var serviceSchema = { type: "object", required: ["name", "service_type", "compute_type", "environment", "volumes", "files", "ports", "dns", "dns-search", "labels", "affinity", "restart", "stop", "triggers", "webhooks"], properties: { name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "a DNS label: a-z, 0-9 and -, at most 63 characters" }, description: { type: "string", minLength: 1, maxLength: 1e3, expected: "a text of at most 1000 characters" }, service_type: { enum: ["continuous", "scheduled", "event"], type: "string", expected: "one of continuous, scheduled, event" }, after: { type: "array", items: { type: "object", required: ["service", "condition"], properties: { service: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "the name of a service of the project" }, condition: { enum: ["started", "healthy", "completed"], type: "string", expected: "one of started, healthy, completed" } }, additionalProperties: !1, expected: "the name of a service, or a map with service and condition" }, maxItems: 100, expected: "a list of services, at most 100" }, compute_type: { enum: ["docker", "process", "infrastructure", "kvm", "manta"], type: "string", expected: "one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta" }, image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$", expected: "the name of an image, such as nginx:1.27" }, package: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "the name, uuid or family of a package" }, memory: { type: "integer", minimum: 4, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 4" }, memory_swap: { type: "integer", minimum: -1, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, or -1" }, cpu: { type: "number", minimum: 0.01, maximum: 1e3, expected: "a number of cores with at most two decimals, from 0.01 to 1000" }, pids: { type: "integer", minimum: 1, maximum: 4194304, expected: "a whole number from 1 to 4194304" }, ulimits: { type: "object", properties: { core: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, cpu: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, data: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, fsize: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, locks: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, memlock: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, msgqueue: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nice: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nofile: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nproc: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, rss: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, rtprio: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, sigpending: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, stack: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" } }, additionalProperties: !1, expected: "a map such as nofile: 65536" }, shm_size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, from 1M to 1T" }, command: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, entrypoint: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, init_steps: { type: "array", items: { type: "object", required: ["command"], properties: { command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" } }, additionalProperties: !1, expected: "a command line, or a map with command" }, minItems: 1, maxItems: 20, expected: "a list of steps, from 1 to 20" }, init_timeout: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, environment: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, user: { type: "string", minLength: 1, pattern: "^[^\\s]+$", expected: "a user name or id, with an optional :group for docker" }, group_add: { type: "array", items: { type: "string", pattern: "^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$", maxLength: 100, expected: "the name or the number of a group" }, maxItems: 100, expected: "a list of groups" }, working_dir: { type: "string", pattern: "^/", expected: "an absolute path" }, hostname: { type: "string", pattern: "^(?:[A-Za-z0-9.-]|[^]*)+$", maxLength: 253, expected: "the name of a host: letters, digits, - and dots" }, extra_hosts: { type: "array", items: { type: "string", pattern: "^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$", expected: "NAME:ADDRESS" }, maxItems: 100, expected: "a list of NAME:ADDRESS, or a map" }, init: { type: "boolean", expected: "true or false, or a list of steps" }, read_only: { type: "boolean", expected: "true or false" }, cap_add: { type: "array", items: { type: "string", enum: ["ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE", "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "WAKE_ALARM"], expected: "a capability such as NET_ADMIN, or ALL" }, maxItems: 50, expected: "a list of capabilities" }, cap_drop: { type: "array", items: { type: "string", enum: ["ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE", "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "WAKE_ALARM"], expected: "a capability such as NET_ADMIN, or ALL" }, maxItems: 50, expected: "a list of capabilities" }, no_new_privileges: { type: "boolean", expected: "true or false" }, privileged: { type: "boolean", expected: "true or false" }, devices: { type: "array", items: { type: "string", pattern: "^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$", maxLength: 512, expected: "a device such as /dev/fuse, /dev/a:/dev/b or /dev/a:/dev/b:r" }, maxItems: 100, expected: "a list of devices" }, gpus: { type: "string", pattern: "^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$", maxLength: 1e3, expected: "all, a number, or device=ID,ID" }, sysctls: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, volumes: { type: "array", items: { type: "object", required: ["path", "readonly"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", expected: "a name of letters, digits, _ and -, at most 63 characters" }, host: { type: "string", pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, maxLength: 1e3, expected: "an absolute path, without a colon, blanks, quotes, \\, . and .." }, tmpfs: { type: "boolean", const: !0, expected: "true" }, path: { type: "string", pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, maxLength: 1e3, expected: "an absolute path below /, without a colon, blanks, quotes, \\, . and .." }, readonly: { type: "boolean" }, scope: { enum: ["instance", "service"], type: "string", expected: "one of instance, service" }, on_lost: { enum: ["wait", "fresh"], type: "string", expected: "one of wait, fresh" }, size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 64M, from 1M to 1T" } }, additionalProperties: !1, expected: 'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs' }, maxItems: 100, expected: "a list of volumes, at most 100" }, files: { type: "array", items: { type: "object", required: ["path"], properties: { path: { type: "string", pattern: `^/?(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$`, maxLength: 1e3, expected: "a path without a colon, blanks, quotes, \\, . and .." }, template: { type: "string", secret: !0, maxLength: 262144, expected: "a text of at most 262144 characters" }, source: { type: "string", pattern: `^(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)*$`, maxLength: 1e3, expected: "a path below the directory of the manifest, without a colon, blanks, quotes, \\, . and .." }, mode: { type: "string", pattern: "^0[0-7]{3}$", expected: "permissions in octal such as 0440, without setuid, setgid and the sticky bit" }, owner: { type: "string", pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?)?$", expected: "user or user:group, each a name or a number" }, secret: { type: "boolean" } }, additionalProperties: !1, expected: "a map with path and one of content, template, source and meta" }, maxItems: 100, expected: "a list of files, at most 100" }, ports: { type: "array", items: { type: "object", required: ["container", "protocol"], properties: { ip: { type: "string" }, host: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 0 }, container: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, protocol: { enum: ["tcp", "udp"], type: "string", expected: "one of tcp, udp" } }, additionalProperties: !1, expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"' }, maxItems: 1e3, expected: "a list of ports, at most 1000" }, dns: { type: "array", items: { type: "string", minLength: 2, expected: "an IPv4 or IPv6 address" }, maxItems: 10, expected: "a list of at most 10 addresses" }, "dns-search": { type: "array", items: { type: "string", pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", expected: "a domain such as example.com" }, maxItems: 32, expected: "a list of at most 32 domains" }, cns: { type: "object", properties: { services: { type: "array", items: { type: "string", minLength: 1, expected: "a name such as web:8080" }, maxItems: 100, expected: "a list of at most 100 names such as web:8080:priority=1:weight=20" }, ttl: { type: "integer", minimum: 0, maximum: 3600, expected: "whole seconds from 0 to 3600" }, hysteresis: { type: "boolean", expected: "true or false" }, disable: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with services, ttl, hysteresis and disable" }, entry: { type: "array", items: { type: "object", required: ["path", "tls", "retries", "weight", "drain"], properties: { host: { type: "string", pattern: "^(?=.{1,253}$)(\\*\\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$", expected: "a host such as shop.example, or *.shop.example" }, path: { type: "string", pattern: "^(?:/|(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+)$", maxLength: 1e3, expected: "a path such as /api, without {, }, %, * and ?" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, tls: { type: "object", required: ["mode"], properties: { mode: { enum: ["auto", "internal", "off", "meta"], type: "string", expected: "one of auto, internal, off, meta" }, cert: { type: "string", minLength: 1, maxLength: 256, expected: "a key of the project's metadata" }, key: { type: "string", minLength: 1, maxLength: 256, expected: "a key of the project's metadata" } }, additionalProperties: !1, expected: "auto, internal, off, or a map with cert and key" }, redirect: { type: "string", pattern: "^https?://[^\\s{}/]+(/[^\\s{}]*)?$", maxLength: 2e3, expected: "a URL such as https://shop.example" }, strip_prefix: { type: "string", pattern: "^(?:/[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+)+$", maxLength: 1e3, expected: "a path such as /api, or true for that of the route" }, timeout: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, retries: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, max_body: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 10M, from 1M to 1T" }, sticky: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$", expected: "true, or the name of a cookie: letters, digits, _ and -, at most 64" }, headers: { type: "object", properties: { request: { type: "object", patternProperties: { "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$": { type: "string", pattern: "^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$", maxLength: 4096, expected: "a text in one line, without braces" } }, expected: "a map, or a list of key=value" }, response: { type: "object", patternProperties: { "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$": { type: "string", pattern: "^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$", maxLength: 4096, expected: "a text in one line, without braces" } }, expected: "a map, or a list of key=value" } }, additionalProperties: !1, expected: "a map with request and response" }, weight: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, drain: { type: "number", minimum: 0, maximum: 60, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 60 seconds' } }, additionalProperties: !1, expected: "a map with host, path, port and tls" }, maxItems: 100, expected: "a list of at most 100 maps with host, path, port and tls" }, labels: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, affinity: { type: "array", items: { type: "object", required: ["key", "operator", "value"], properties: { key: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$", expected: "container, instance, service, machine.<key> or the name of a tag, of two characters or more" }, operator: { enum: ["==", "!=", "==~", "!=~"], type: "string", expected: "one of ==, !=, ==~, !=~" }, value: { type: "string", maxLength: 256, pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", expected: "a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces" }, by: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" } }, additionalProperties: !1, expected: "a rule such as role!=database" }, maxItems: 100, expected: "a list of at most 100 rules such as role!=database" }, spread: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" }, concurrency: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, timeout: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, restart: { type: "object", required: ["policy"], properties: { policy: { enum: ["no", "on-failure", "always", "unless-stopped"], type: "string", expected: "one of no, on-failure, always, unless-stopped" }, max: { type: "integer", minimum: 1, maximum: 1e6, expected: "a whole number from 1" } }, additionalProperties: !1, expected: "no, on-failure, on-failure:3, always or unless-stopped" }, stop: { type: "object", required: ["timeout", "preservestopped"], properties: { timeout: { type: "integer", minimum: -1e9, maximum: 1e9, expected: 'whole seconds: a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M' }, preservestopped: { enum: ["on-failure", "no", "always"], type: "string", expected: "one of on-failure, no, always" } }, additionalProperties: !1, expected: "a map with timeout and preservestopped" }, stop_signal: { type: "string", pattern: "^SIG[A-Z0-9+]+$", expected: "a signal such as SIGINT" }, log: { type: "object", properties: { driver: { type: "string", pattern: "^[a-z0-9][a-zA-Z0-9._/:-]*$", maxLength: 255, expected: "the name of a log driver such as json-file" }, max_size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, from 1M to 1T" }, max_files: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, options: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" } }, additionalProperties: !1, expected: "a map with driver, max_size, max_files and options" }, healthchecks: { type: "array", items: { type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf: [{ type: "object", required: ["type", "network", "port", "path", "poll", "timeout", "retries"], properties: { type: { enum: ["http", "https"], type: "string", expected: "one of http, https" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, path: { type: "string", pattern: "^/", expected: "a path that begins with /" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, redirects: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, host: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", expected: "the name of a host" }, verify: { type: "boolean", expected: "true or false" } }, additionalProperties: !1 }, { type: "object", required: ["type", "network", "port", "poll", "timeout", "retries"], properties: { type: { enum: ["tcp"], type: "string", expected: "one of tcp" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }, { type: "object", required: ["type", "command", "poll", "timeout", "retries"], properties: { type: { enum: ["command"], type: "string", expected: "one of command" }, command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" }, user: { type: "string", minLength: 1, expected: "a user name or id" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }], expected: "a map with type http, https, tcp or command" }, maxItems: 20, expected: "a list of at most 20 checks" }, containerpilot: { type: "object", required: ["port"], properties: { network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 } }, additionalProperties: !1, expected: "a map with network and port" }, autoscale: { type: "object", required: ["enable", "min", "retrigger_delay", "notify_email"], properties: { enable: { enum: ["notify", !0, !1], expected: "notify, true or false" }, min: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, max: { type: "integer", minimum: 1, maximum: 1e5, expected: "a whole number from 1 to 100000" }, retrigger_delay: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, notify_email: { type: "array", items: { type: "string", pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$", maxLength: 254, expected: "an e-mail address" }, maxItems: 20, expected: "a list of at most 20 e-mail addresses" } }, additionalProperties: !1, expected: "a map with enable, min, max, retrigger_delay and notify_email" }, triggers: { type: "array", items: { type: "object", if: { anyOf: [{ required: ["url"] }, { required: ["secret"] }] }, then: { type: "object", required: ["name", "url", "action"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, url: { const: !0, expected: "true" }, secret: { type: "string", minLength: 8, maxLength: 256, pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$", expected: "a secret of 8 to 256 letters, digits and signs without blanks", secret: !0 }, action: { enum: ["start", "stop", "scale"], type: "string", expected: "one of start, stop, scale" }, scale: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, instances: { type: "integer", minimum: -1e4, maximum: 1e4, expected: "a whole number from -10000 to 10000" } }, additionalProperties: !1, expected: "a trigger with secret (or url: true) and action" }, else: { type: "object", required: ["name", "source", "operator", "value", "percent", "time", "aggregate", "action", "instances"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, source: { type: "string", pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", expected: "containermonitor.<metric>, containerpilot.<metric>, or the same behind service.<name>." }, operator: { enum: ["<", "<=", ">", ">=", "==", "!="], type: "string", expected: "one of <, <=, >, >=, ==, !=" }, value: { type: "number", expected: "a number, or a percentage such as 80%" }, percent: { type: "boolean", expected: "true or false" }, time: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, aggregate: { enum: ["avg", "min", "max", "sum", "p90"], type: "string", expected: "one of avg, min, max, sum, p90" }, action: { enum: ["increment", "decrement"], type: "string", expected: "increment (or incr), or decrement (or decr)" }, instances: { type: "integer", minimum: 1, maximum: 1e4, expected: "a whole number from 1 to 10000" } }, additionalProperties: !1, expected: "a trigger with source, operator, value, time and action" }, expected: "a trigger" }, maxItems: 50, expected: "a list or a map of at most 50 triggers" }, webhooks: { type: "array", items: { type: "object", required: ["url", "events", "headers", "allow_private"], properties: { url: { type: "string", pattern: "^https?://[^\\s/?#]+\\S*$", maxLength: 2048, expected: "a URL that begins with https:// or http://" }, events: { type: "array", items: { enum: ["start", "stop", "health", "scale", "deploy"], type: "string", expected: "one of start, stop, health, scale, deploy" }, minItems: 1, uniqueItems: !0, expected: "a list of start, stop, health, scale, deploy, each once" }, secret: { type: "string", pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", secret: !0, expected: "whsec_ and the base64 of 24 to 64 bytes" }, headers: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, allow_private: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with url" }, maxItems: 20, expected: "a list of at most 20 webhooks" }, schedule: { type: "object", required: ["kind", "expression", "overlap"], properties: { kind: { enum: ["interval", "cron"], type: "string", expected: "one of interval, cron" }, expression: { type: "string", minLength: 1, maxLength: 256, expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"' }, epsilon: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, timezone: { type: "string", minLength: 1, expected: "a time zone such as Europe/Berlin" }, overlap: { enum: ["skip", "allow", "replace"], type: "string", expected: "one of skip, allow, replace" } }, additionalProperties: !1, expected: "an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map" } }, additionalProperties: !1, expected: "a map of manifest keys" }, packagesSchema = { type: "object", required: ["packages"], properties: { packages: { type: "array", items: { type: "object", required: ["name", "family", "ram", "disk", "cpu"], properties: { uuid: { type: "string", pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", expected: "a uuid in lower case" }, name: { type: "string", pattern: "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$", maxLength: 128, expected: "a name of letters, digits, _, . and -, no two signs in a row" }, family: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "a name of letters, digits, _, . and -" }, ram: { type: "integer", minimum: 1, maximum: 1073741824, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 1" }, disk: { type: "integer", minimum: 1, maximum: 1073741824, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 1" }, cpu: { type: "integer", minimum: 1, maximum: 1e6, expected: "hundredths of a core, such as 100 for one core" } }, additionalProperties: !1, expected: "a map with name, family, ram, disk and cpu" }, maxItems: 1e3, expected: "a list of at most 1000 packages" } }, additionalProperties: !1, expected: "a list of packages" };
export {
  checkPackages,
  checkService,
  packagesSchema,
  serviceSchema
};
