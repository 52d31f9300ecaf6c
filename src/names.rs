//! Names in output.

/// `Display` and `Serialize` for enums of kinds: both are the name that `as_str` gives.
macro_rules! named {
    ($($type:ty),+) => {$(
        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl serde::Serialize for $type {
            /// As its name.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )+};
}

pub(crate) use named;
